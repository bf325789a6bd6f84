import { createHash } from 'node:crypto'
import type { MemoryRecord } from '../../contract/snapshot.ts'
import type { LineBytes } from '../rank/create-ranker.ts'
import { roundScore } from '../rank/exact-numbers.ts'
import type { Explanation } from '../rank/explanation.ts'
import type { Inquiry } from '../rank/inquiry.ts'
import type { QueryIntent } from './query-intent.ts'
import type { QueryWords } from './query-words.ts'
import type { Superseded } from './superseded.ts'

/** The context in which a query is answered. */
export type Answering = {
  words: QueryWords
  intent: QueryIntent
  inquiry: Inquiry
  /** Returns the memory whose line is at this place, or undefined if it cannot be read. Results are cached. */
  read: (place: LineBytes) => MemoryRecord | undefined
  /** Finds the memory that supersedes another one, at the time in question. */
  supersededBy: (record: MemoryRecord) => Superseded | undefined
  /** UTC text: what held then is asked for. */
  asOf: string | undefined
  /** Maximum number of entries per group. */
  limit: number
  explain: boolean
}

/** A memory that may answer the query, with its record from the snapshot. */
export type Candidate = { record: MemoryRecord; score: number; explanation: Explanation | undefined }

/** Returns the time that the source gave; null if it gave none and the record has the time of storing. */
export function readSaidTime(record: MemoryRecord): string | null {
  return record.undated === true ? null : record.at
}

/** The fields common to entries of all groups. */
type Entry = { id: string; score: number }

/** Sorts entries by score, then by id, so that the order is deterministic. */
export function sortBestFirst<E extends Entry>(entries: readonly E[]): E[] {
  const rounded = entries.map((entry) => ({ ...entry, score: roundScore(entry.score) }))
  return rounded.sort((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1))
}

const PREFIXES = { fact: 'fct', procedure: 'prc' } as const

/** Derives the id of an extracted entry. The same words always get the same id. */
export function deriveId(kind: keyof typeof PREFIXES, words: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify([`memctl.${kind}.1`, ...words]))
  return `${PREFIXES[kind]}_${digest.digest('hex').slice(0, ID_DIGITS)}`
}

const ID_DIGITS = 32
