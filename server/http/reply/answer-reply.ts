import { Buffer } from 'node:buffer'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import type { Answer } from '../handler.ts'

/** An answer of a handler as a response of the platform. What is no stream says how long it is. */
export function answerReply(row: Endpoint, answer: Answer<unknown>, method: string): Response {
  const { status } = answer
  if ('stream' in answer) {
    const headers = { 'content-type': answer.type }
    if (method !== 'HEAD') return new Response(answer.stream, { status, headers })
    // The router would drop the body of a reply to HEAD, and its source would stay open.
    answer.stream.cancel().catch(() => undefined)
    return new Response(null, { status, headers })
  }
  if ('json' in answer) return wholeReply(status, JSON_TYPE, Buffer.from(JSON.stringify(answer.json)))
  if ('bytes' in answer) return wholeReply(status, { ...answer.headers, ...JSON_TYPE }, answer.bytes)
  if ('page' in answer)
    return wholeReply(status, { 'content-type': 'text/html; charset=utf-8' }, Buffer.from(answer.page))
  const type = row.replies.find(({ text }) => text !== undefined)?.text ?? 'text/plain; charset=utf-8'
  return wholeReply(status, { 'content-type': type }, Buffer.from(answer.text))
}

const JSON_TYPE = { 'content-type': 'application/json' }

function wholeReply(
  status: number,
  more: Readonly<Record<string, string>> & { 'content-type': string },
  bytes: Uint8Array
): Response {
  const headers = { ...more, 'content-length': String(bytes.length) }
  // The platform's type wants memory that no other thread has, which it is.
  return new Response(bytes as Uint8Array<ArrayBuffer>, { status, headers })
}
