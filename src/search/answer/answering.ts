import type { MemoryRecord } from '../../contract/snapshot.ts'
import type { Inquiry } from '../rank/inquiry.ts'
import type { Place } from '../rank/rank-documents.ts'
import type { QueryIntent } from './query-intent.ts'
import type { QueryWords } from './query-words.ts'

/** What answering one query goes by. */
export type Answering = {
  words: QueryWords
  intent: QueryIntent
  inquiry: Inquiry
  /** The memory whose line stands there; undefined where it cannot be read. Reading it again costs nothing. */
  read: (place: Place) => MemoryRecord | undefined
  /** UTC text. Later memories are not told of. */
  asOf: string | undefined
  /** Entries of a group. */
  limit: number
  explain: boolean
}
