import { Buffer } from 'node:buffer'
import type { Endpoint, Refusal, Reply, ReplyOf } from '../../../src/contract/endpoint.ts'

/**
 * The result of a handler: a value that matches the row, its bytes if the engine wrote them, or a text, a page or a
 * stream.
 */
export type HandlerReply<Row> =
  | { status: 200 | 201; json: ReplyOf<Row> }
  | { status: Reply['status'] | Refusal['status']; bytes: Uint8Array; headers?: Readonly<Record<string, string>> }
  | { status: 200; stream: ReadableStream<Uint8Array>; type: StreamType }
  | { status: 200; text: string }
  | { status: 200 | Refusal['status']; page: string; hasForm: boolean }

type StreamType = 'application/json' | 'application/jsonl' | 'text/event-stream'

/** Converts the result of a handler to a response. A response that is not a stream has a `Content-Length`. */
export function answerReply(row: Endpoint, answer: HandlerReply<unknown>, method: string): Response {
  const { status } = answer
  if ('stream' in answer) {
    const headers = { 'content-type': answer.type }
    if (method !== 'HEAD') return new Response(answer.stream, { status, headers })
    // The router drops the body of a reply to HEAD, and its source would stay open.
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
  // The type of the platform requires memory that is not shared with another thread, as this memory is.
  return new Response(bytes as Uint8Array<ArrayBuffer>, { status, headers })
}
