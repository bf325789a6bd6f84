import type { MemoryRecord } from '../../contract/snapshot.ts'
import { contentWords } from './content-words.ts'

/** A memory as its episode sees it: when it was said (ms since 1970) and the words of it that mean something. */
export type Turn = { record: MemoryRecord; atMs: number; words: string[] }

/** The turn of a memory. Of a long text only the beginning is read. */
export function turnOf(record: MemoryRecord): Turn {
  return { record, atMs: Date.parse(record.at), words: contentWords(record.text.slice(0, TEXT_UNITS_MAX)) }
}

/** In UTF-16 code units. */
export const TEXT_UNITS_MAX = 2_000
