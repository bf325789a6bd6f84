/**
 * Grows with every change of what is extracted. A record says which version read it; 0 is none: its text alone was kept.
 * Apart from the extractor, so that looking at it loads nothing.
 */
export const EXTRACTOR_VERSION = 1
