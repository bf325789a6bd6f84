import { Buffer } from 'node:buffer'
import * as z from 'zod'
import { CURSOR_BYTES_MAX, readCursorText } from '../http/read-cursor-text.ts'
import { ProviderFailure } from '../port/provider-failure.ts'

/** Maximum number of change feeds: that of the account, and one for each shared drive. */
export const FEEDS_MAX = 200

const Count = z.int().min(0)
/** Positions of a queue in the ledger: its first entry, and the first free position. */
const Queue = z.strictObject({ head: Count, tail: Count })

const Cursor = z.strictObject({
  v: z.literal(1),
  /** The method that the cursor belongs to. */
  kind: z.enum(['changes', 'list']),
  /** Tokens of the feeds. The first is the account's own, which has no `drive`. */
  feeds: z
    .array(z.strictObject({ drive: z.string().optional(), token: z.string().min(1) }))
    .min(1)
    .max(FEEDS_MAX),
  /** The next feed to read. Those before it are at their end. */
  turn: Count,
  /** Folders to list and files to check, and folders to remove. */
  todo: Queue,
  leaving: Queue,
  /** The folder whose listing is in progress. */
  at: z
    .strictObject({
      folder: z.string(),
      drive: z.string().optional(),
      token: z.string(),
      pages: Count,
      restarts: Count
    })
    .optional()
})

export type Cursor = z.infer<typeof Cursor>

/**
 * Parses a cursor.
 *
 * @throws ProviderFailure `cursor_invalid` if it is not a valid cursor of this version.
 */
export function readCursor(text: string, kind: Cursor['kind']): Cursor {
  const state = readCursorText(text, Cursor)
  if (state?.kind !== kind)
    throw new ProviderFailure('cursor_invalid', 'the cursor has an unknown version, so everything is listed again')
  return state
}

/**
 * Serializes a cursor to at most 64 KiB.
 *
 * @throws ProviderFailure `contract_broken` if tokens of Drive are longer than expected.
 */
export function writeCursor(state: Cursor): string {
  const text = JSON.stringify(state)
  if (Buffer.byteLength(text) > CURSOR_BYTES_MAX)
    throw new ProviderFailure('contract_broken', 'page tokens of Drive are too long')
  return text
}
