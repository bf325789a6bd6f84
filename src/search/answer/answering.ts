import { createHash } from 'node:crypto'
import type { MemoryRecord } from '../../contract/snapshot.ts'
import type { LineBytes } from '../rank/create-ranker.ts'
import type { Explanation } from '../rank/explanation.ts'
import type { Inquiry } from '../rank/inquiry.ts'
import type { QueryIntent } from './query-intent.ts'
import type { QueryWords } from './query-words.ts'

/** What answering one query goes by. */
export type Answering = {
  words: QueryWords
  intent: QueryIntent
  inquiry: Inquiry
  /** The memory whose line stands there; undefined where it cannot be read. Reading it again costs nothing. */
  read: (place: LineBytes) => MemoryRecord | undefined
  /** UTC text. Later memories are not told of. */
  asOf: string | undefined
  /** Entries of a group. */
  limit: number
  explain: boolean
}

/** A memory that answers, with its record as the snapshot has it. */
export type Candidate = { record: MemoryRecord; score: number; explanation: Explanation | undefined }

/** When the source said it; null where it gave no time and the record holds that of storing. */
export function readSaidTime(record: MemoryRecord): string | null {
  return record.undated === true ? null : record.at
}

/** What entries of all groups have. */
type Entry = { id: string; score: number }

/** Entries by score, then by id: the order is never left to chance. */
export function sortBestFirst<E extends Entry>(entries: readonly E[]): E[] {
  return [...entries].sort((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1))
}

const PREFIXES = { fact: 'fct', procedure: 'prc' } as const

/** The id of something extracted: the same words have the same id, wherever and whenever they were found. */
export function deriveId(kind: keyof typeof PREFIXES, words: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify([`memctl.${kind}.1`, ...words]))
  return `${PREFIXES[kind]}_${digest.digest('hex').slice(0, ID_DIGITS)}`
}

const ID_DIGITS = 32
