import { Buffer } from 'node:buffer'
import * as z from 'zod'
import { CURSOR_BYTES_MAX, readCursorText } from '../http/read-cursor-text.ts'
import { ProviderFailure } from '../port/provider-failure.ts'

/** Feeds of changes that are followed: that of the account, and one for each shared drive. */
export const FEEDS_MAX = 200

const Count = z.int().min(0)
/** Places of a queue in the ledger: the first that waits, and the first free one. */
const Queue = z.strictObject({ head: Count, tail: Count })

const Cursor = z.strictObject({
  v: z.literal(1),
  /** Of `changes`, or of `list`. */
  kind: z.enum(['changes', 'list']),
  /** Tokens of the feeds. The first is the account's own, which has no `drive`. */
  feeds: z
    .array(z.strictObject({ drive: z.string().optional(), token: z.string().min(1) }))
    .min(1)
    .max(FEEDS_MAX),
  /** The feed that is read next; those before it are at their end. */
  turn: Count,
  /** Folders to list and files to look at, and folders to take out. */
  todo: Queue,
  leaving: Queue,
  /** The folder in whose listing we are. */
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

/** @throws ProviderFailure `cursor_invalid` where it is none of ours. */
export function readCursor(text: string, kind: Cursor['kind']): Cursor {
  const state = readCursorText(text, Cursor)
  if (state?.kind !== kind)
    throw new ProviderFailure('cursor_invalid', 'the cursor is none of this version: all is listed anew')
  return state
}

/** Text of at most 64 KiB. Throws ProviderFailure `contract_broken` where tokens of Drive are longer than any it has given. */
export function writeCursor(state: Cursor): string {
  const text = JSON.stringify(state)
  if (Buffer.byteLength(text) > CURSOR_BYTES_MAX)
    throw new ProviderFailure('contract_broken', 'page tokens of Drive are too long')
  return text
}
