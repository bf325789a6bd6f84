import type { MemoryRecord } from '../contract/snapshot.ts'
import { EXTRACTOR_VERSION } from './extractor-version.ts'
import type { TextSource } from './text-source.ts'

/** What the extractor makes of a text. Empty lists are left out. */
export type Understanding = Pick<MemoryRecord, 'extractor' | 'facts' | 'procedures' | 'events'>

export type Understand = (source: TextSource) => Understanding

/**
 * Text to what is known from it. Pure and deterministic: the same source gives the same, on any machine, at any time.
 * Loading this module takes about 100 ms: whoever stores loads it, whoever searches never does.
 */
export function understand(_source: TextSource): Understanding {
  return { extractor: EXTRACTOR_VERSION }
}
