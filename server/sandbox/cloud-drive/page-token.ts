import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'

/** A token of a listing: where it goes on, and of which question it is, so that it fits no other. */
export function pageToken(question: string, after: string): string {
  return Buffer.from(JSON.stringify([digestOf(question), after])).toString('base64url')
}

/** The last id that was told; undefined where the token is not of this question. */
export function readPageToken(question: string, token: string): string | undefined {
  try {
    const [digest, after] = JSON.parse(Buffer.from(token, 'base64url').toString()) as unknown[]
    return digest === digestOf(question) && typeof after === 'string' ? after : undefined
  } catch {
    return undefined
  }
}

function digestOf(question: string): string {
  return createHash('sha256').update(question).digest('base64url').slice(0, 12)
}
