import { Buffer } from 'node:buffer'
import * as z from 'zod'

/** developers.notion.com/reference/intro#pagination */
const PAGE_SIZE_MAX = 100

export const Paging = {
  start_cursor: z.string().max(2000).optional(),
  page_size: z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE_MAX)
}

type Asked = { start_cursor?: string | undefined; page_size: number }

/** Things in the order in which they are listed, by a text that goes up with it. */
export type Listed<T> = { at: string; one: T }

/** Ordered to go wrong: the next page is the one that was asked for. */
export type Repeating = { repeats: boolean }

/**
 * A page of a list; undefined where the cursor is none of ours. A cursor names the last thing before it, so that what comes and goes meanwhile
 * moves no border.
 */
export function pageOf<T>(listed: readonly Listed<T>[], asked: Asked, { repeats }: Repeating) {
  const after = asked.start_cursor === undefined ? '' : placeIn(asked.start_cursor)
  if (after === undefined) return undefined
  const rest = listed.filter(({ at }) => at > after)
  const page = rest.slice(0, asked.page_size)
  const last = page.at(-1)
  const more = rest.length > page.length && last !== undefined
  if (repeats && asked.start_cursor !== undefined)
    return { results: page.map(({ one }) => one), next_cursor: asked.start_cursor, has_more: true }
  return { results: page.map(({ one }) => one), next_cursor: more ? cursorAt(last.at) : null, has_more: more }
}

function cursorAt(place: string): string {
  return `c-${Buffer.from(place).toString('hex')}`
}

function placeIn(cursor: string): string | undefined {
  const hex = /^c-((?:[0-9a-f]{2})+)$/.exec(cursor)?.[1]
  return hex === undefined ? undefined : Buffer.from(hex, 'hex').toString()
}

/** A time as part of a place in a list: the latest first, or the earliest. To the minute, as replies have it. */
export function timePlace(at: number, direction: 'ascending' | 'descending'): string {
  const minutes = Math.floor(at / 60_000)
  return String(direction === 'ascending' ? minutes : 1e9 - minutes).padStart(10, '0')
}
