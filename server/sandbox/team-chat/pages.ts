import { Buffer } from 'node:buffer'

/**
 * Slack's cursors are Base64 of what kind of thing comes next and its id, as the examples on its pages show
 * (https://docs.slack.dev/apis/web-api/pagination). Callers are not to look into them.
 */
export function cursorTo(kind: string, next: string): string {
  return Buffer.from(`${kind}:${next}`).toString('base64')
}

/** What a cursor of that kind says; undefined where it is none. */
export function readCursor(kind: string, cursor: string): string | undefined {
  const text = Buffer.from(cursor, 'base64').toString()
  const said = text.startsWith(`${kind}:`) ? text.slice(kind.length + 1) : undefined
  return said !== undefined && cursorTo(kind, said) === cursor ? said : undefined
}

/** How many a page has: what was asked for, within what is allowed; undefined where that is no number. */
export function limitOf(asked: string | undefined, { usual, max }: { usual: number; max: number }): number | undefined {
  if (asked === undefined) return usual
  const limit = Number(asked)
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, max) : undefined
}

export type ListPage<Row> = { rows: readonly Row[]; next: string }

/** A page of a list whose rows have ids, and the cursor of the next; 'invalid_cursor' or 'invalid_limit' where it cannot be. */
export function pageOf<Row extends { id: string }>(
  rows: readonly Row[],
  { kind, cursor, limit, repeat }: { kind: string; cursor: string | undefined; limit: number; repeat: boolean }
): ListPage<Row> | 'invalid_cursor' {
  const wanted = cursor === undefined ? undefined : readCursor(kind, cursor)
  if (cursor !== undefined && wanted === undefined) return 'invalid_cursor'
  const found = wanted === undefined ? 0 : rows.findIndex(({ id }) => id === wanted)
  if (found === -1) return 'invalid_cursor'
  const next = rows[found + limit]
  const following = next === undefined ? '' : cursorTo(kind, next.id)
  return { rows: rows.slice(found, found + limit), next: repeat && cursor !== undefined ? cursor : following }
}
