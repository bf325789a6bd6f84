import type { MemoryRecord } from '../contract/snapshot.ts'

/** What the extractor makes of a text. */
export type Understanding = Pick<MemoryRecord, 'extractor' | 'facts' | 'procedures' | 'events'>

/** Grows with every change of what is extracted. 0 keeps the text alone: nothing is taken out of it yet. */
export const EXTRACTOR_VERSION = 0

/** Text to what is known from it. Pure and deterministic: the same text gives the same, on any machine, at any time. */
export function understand(_text: string): Understanding {
  return { extractor: EXTRACTOR_VERSION }
}
