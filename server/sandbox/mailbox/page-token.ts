import { Buffer } from 'node:buffer'

/** A place in a list, as an opaque text. It holds the place itself, so that it outlives this process. */
export function pageToken(kind: string, place: readonly string[]): string {
  return Buffer.from(JSON.stringify([kind, ...place])).toString('base64url')
}

/** The place that a token of a kind names; undefined for what is none. */
export function placeOf(kind: string, token: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString())
    if (!Array.isArray(value) || !value.every((part) => typeof part === 'string')) return undefined
    const [found, ...place] = value
    return found === kind ? place : undefined
  } catch {
    return undefined
  }
}

/** How many are asked for: 100 where nothing is said, at most 500; undefined for what is no such number. */
export function pageSize(query: URLSearchParams): number | undefined {
  const said = query.get('maxResults') ?? '100'
  return /^\d{1,9}$/.test(said) ? Math.min(Math.max(Number(said), 1), PAGE_SIZE_MAX) : undefined
}

const PAGE_SIZE_MAX = 500
