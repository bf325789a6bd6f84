/**
 * Version of the extraction code; every change of what is extracted increases it. Each record states the version that
 * extracted it; 0 means that only the text was kept. In its own file, so that reading it loads nothing else.
 */
export const EXTRACTOR_VERSION = 1
