import * as z from 'zod'
import { readCursorText } from '../http/read-cursor-text.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { HistoryId } from './wire.ts'

/** The state of paging. It takes a few hundred bytes, whatever the size of the mailbox. */
export type Cursor = Crawling | Following

/** All messages are being listed. Afterwards the history from `since` reports what was missed. */
export type Crawling = z.infer<typeof Crawling>

/** The history is being read from `since`. */
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
  /** A later start, used once if `since` is too old: the position of the history before the crawl. */
  pinned: HistoryId.optional(),
  /** For pages after the first: the page token, and the oldest history position of the previous pages. */
  rest: z.strictObject({ token: PageToken, head: HistoryId }).optional()
})

const Cursor = z.discriminatedUnion('step', [Crawling, Following])

/** A listing for comparison: the page token, absent for the first page. */
const Listing = z.strictObject({ v: z.literal(1), step: z.literal('list'), token: PageToken.optional() })

/** Serializes a cursor. */
export function writeCursor(cursor: Cursor | z.infer<typeof Listing>): string {
  return JSON.stringify(cursor)
}

/**
 * Parses a cursor of changes.
 *
 * @throws ProviderFailure `cursor_invalid` if it is invalid.
 */
export function readCursor(text: string): Cursor {
  return parseCursor(text, Cursor)
}

/**
 * Returns the token of a listing's next page, or undefined for the first one.
 *
 * @throws ProviderFailure `cursor_invalid` if it is invalid.
 */
export function readListToken(text: string): string | undefined {
  return parseCursor(text, Listing).token
}

function parseCursor<S extends z.ZodType>(text: string, schema: S): z.output<S> {
  const value = readCursorText(text, schema)
  if (value !== undefined) return value
  throw new ProviderFailure('cursor_invalid', 'the cursor of the mailbox has an unknown version')
}
