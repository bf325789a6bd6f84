import * as z from 'zod'
import { readCursorText } from '../http/read-cursor-text.ts'
import { ProviderFailure } from '../port/provider-failure.ts'

/** Where a pass over the account stands. What grows with the account is in the ledger. */
export type Cursor = z.infer<typeof Cursor>

const Count = z.int().min(0)

const Cursor = z.strictObject({
  v: z.literal(1),
  /** `all` takes in everything, `news` what changed since an earlier pass, `list` names everything for a comparison. */
  kind: z.enum(['all', 'news', 'list']),
  step: z.enum(['search', 'sources', 'watched', 'sweep', 'done']),
  /** When it began (ms): later than all passes before that noted something. */
  at: Count,
  /** Edits before this time were seen by the passes before (ms, by the provider's clock). */
  since: Count,
  /** The latest edit that was met (ms, likewise). */
  newest: Count,
  /** When search was last gone through to its end (ms). */
  searchedAll: Count,
  /** Where search goes on, pages of it that were seen, and how many of them lay below `since`. */
  from: z.string().max(8192).optional(),
  searched: Count,
  below: Count,
  /** Of steps that go through the ledger: the partition that comes next. Stored cursors call it `bucket`. */
  bucket: Count,
  /** Work waits in the ledger under the numbers from `head` to before `tail`. */
  head: Count,
  tail: Count,
  /** Steps in a row in which nothing was achieved; starts over after a cursor of search that was refused. */
  idle: Count,
  restarts: Count
})

/** A pass that has not begun; `before` is the one that it goes on from. */
export function createPass(kind: Cursor['kind'], at: number, before?: Cursor): Cursor {
  const counts = { searched: 0, below: 0, bucket: 0, head: 0, tail: 0, idle: 0, restarts: 0 }
  const since = before === undefined ? 0 : Math.min(before.newest, before.at)
  const searchedAll = before?.searchedAll ?? at
  return { v: 1, kind, step: 'search', at, since, newest: since, searchedAll, ...counts }
}

/** The text of a cursor. */
export function writeCursor(state: Cursor): string {
  return JSON.stringify(state)
}

/** @throws ProviderFailure `cursor_invalid` for anything that is no cursor of a pass of one of these kinds. */
export function readCursor(text: string, kinds: readonly Cursor['kind'][]): Cursor {
  const state = readCursorText(text, Cursor)
  if (state !== undefined && kinds.includes(state.kind)) return state
  throw new ProviderFailure('cursor_invalid', 'the cursor of the notes is none of this version')
}
