import * as z from 'zod'
import { readCursorText } from '../http/read-cursor-text.ts'
import { ProviderFailure } from '../port/provider-failure.ts'

/** The state of a pass over the account. Data that grows with the account is in the ledger. */
export type Cursor = z.infer<typeof Cursor>

const Count = z.int().min(0)

const Cursor = z.strictObject({
  v: z.literal(1),
  /** `all` reads everything, `news` what changed since an earlier pass, `list` reports everything for a comparison. */
  kind: z.enum(['all', 'news', 'list']),
  step: z.enum(['search', 'sources', 'watched', 'sweep', 'done']),
  /** When the pass began (ms): later than all previous passes that stored notes. */
  at: Count,
  /** Edits before this time were seen by earlier passes (ms, by the provider's clock). */
  since: Count,
  /** The latest edit that was seen (ms, by the provider's clock). */
  newest: Count,
  /** When search was last read to its end (ms). */
  searchedAll: Count,
  /** The position in search, the number of search pages read, and how many of them were older than `since`. */
  from: z.string().max(8192).optional(),
  searched: Count,
  below: Count,
  /** The next partition, for steps that walk the ledger. Stored cursors call it `bucket`. */
  bucket: Count,
  /** Queued work has the numbers from `head` up to but excluding `tail` in the ledger. */
  head: Count,
  tail: Count,
  /** Consecutive steps without results, and restarts after a refused search cursor. */
  idle: Count,
  restarts: Count
})

/** Creates the state of a new pass. `before` is the previous pass. */
export function createPass(kind: Cursor['kind'], at: number, before?: Cursor): Cursor {
  const counts = { searched: 0, below: 0, bucket: 0, head: 0, tail: 0, idle: 0, restarts: 0 }
  const since = before === undefined ? 0 : Math.min(before.newest, before.at)
  const searchedAll = before?.searchedAll ?? at
  return { v: 1, kind, step: 'search', at, since, newest: since, searchedAll, ...counts }
}

/** Serializes a cursor. */
export function writeCursor(state: Cursor): string {
  return JSON.stringify(state)
}

/**
 * Parses a cursor.
 *
 * @throws ProviderFailure `cursor_invalid` unless it is a cursor of a pass of one of these kinds.
 */
export function readCursor(text: string, kinds: readonly Cursor['kind'][]): Cursor {
  const state = readCursorText(text, Cursor)
  if (state !== undefined && kinds.includes(state.kind)) return state
  throw new ProviderFailure('cursor_invalid', 'the cursor of the notes has an unknown version')
}
