import * as z from 'zod'
import { readCursorText } from '../http/read-cursor-text.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { HistoryId } from './wire.ts'

/** Where paging stands. All of it fits into a few hundred bytes, whatever the size of the mailbox. */
export type Cursor = Crawling | Following

/** All messages are being listed; afterwards the history from `since` on tells what was missed meanwhile. */
export type Crawling = z.infer<typeof Crawling>

/** The history is being read from `since` on. */
export type Following = z.infer<typeof Following>

const PageToken = z.string().min(1).max(8192)

const Crawling = z.strictObject({
  v: z.literal(1),
  step: z.literal('crawl'),
  pinned: HistoryId,
  since: HistoryId,
  token: PageToken
})

const Following = z.strictObject({
  v: z.literal(1),
  step: z.literal('follow'),
  since: HistoryId,
  /** Where to begin instead, once, if `since` should lie too far back: where the history stood before a crawl began. */
  pinned: HistoryId.optional(),
  /** Of pages after the first: which one, and where the history stood by the pages before. */
  rest: z.strictObject({ token: PageToken, head: HistoryId }).optional()
})

const Cursor = z.discriminatedUnion('step', [Crawling, Following])

/** Of a listing for comparison: only which page, without one the first. */
const Listing = z.strictObject({ v: z.literal(1), step: z.literal('list'), token: PageToken.optional() })

/** The text of a cursor. */
export function writeCursor(cursor: Cursor | z.infer<typeof Listing>): string {
  return JSON.stringify(cursor)
}

/** @throws ProviderFailure `cursor_invalid` for anything that is no cursor of changes. */
export function readCursor(text: string): Cursor {
  return parseCursor(text, Cursor)
}

/** The token of a listing's next page; undefined for the first one. @throws ProviderFailure `cursor_invalid` likewise. */
export function readListToken(text: string): string | undefined {
  return parseCursor(text, Listing).token
}

function parseCursor<S extends z.ZodType>(text: string, schema: S): z.output<S> {
  const value = readCursorText(text, schema)
  if (value !== undefined) return value
  throw new ProviderFailure('cursor_invalid', 'the cursor of the mailbox is none of this version')
}
