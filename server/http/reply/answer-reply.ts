import { Buffer } from 'node:buffer'
import type { Endpoint, Refusal, ReplyOf } from '../../../src/contract/endpoint.ts'

/** What a handler gives back: a value that fits the row, its bytes where the engine wrote them, or a text, page or stream. */
export type HandlerReply<Row> =
  | { status: 200 | 201; json: ReplyOf<Row> }
  | { status: 200 | 201; bytes: Uint8Array; headers?: Readonly<Record<string, string>> }
  | { status: 200; stream: ReadableStream<Uint8Array>; type: 'application/json' | 'application/jsonl' }
  | { status: 200; text: string }
  | { status: 200 | Refusal['status']; page: string; hasForm: boolean }

/** An answer of a handler as a response of the platform. What is no stream says how long it is. */
export function answerReply(row: Endpoint, answer: HandlerReply<unknown>, method: string): Response {
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
