import { Buffer } from 'node:buffer'
import type { RpcMessage, RpcReply } from '../../contract/endpoints/mcp.ts'
import type { OpenRequests } from './open-requests.ts'

/** A message of the protocol that was sent by HTTP. */
export type HttpMessage<Body = RpcMessage> = {
  headers: Headers
  /** The JSON of the body. */
  body: Body
  /** Aborted when the client leaves. */
  signal: AbortSignal
  /** The key and the collection. A response reaches only requests that the server sent to the same caller. */
  caller: string
  openRequests: OpenRequests
}

/** A request or a notification. */
export type RpcCall = RpcMessage & { method: string }

/** The reply: JSON, nothing for a notification, or a stream of events that ends with the response. */
export type HttpAnswer =
  | { status: number; bytes: Uint8Array; headers?: Readonly<Record<string, string>> }
  | { stream: ReadableStream<Uint8Array> }

/** Returns whether the client accepts a stream of events. */
export function acceptsEvents(headers: Headers): boolean {
  return headers.get('accept')?.includes('text/event-stream') ?? false
}

/** Builds the reply with an error of JSON-RPC. */
export function answerError(status: number, error: RpcReply['error'], id: RpcMessage['id'] | null = null): HttpAnswer {
  return { status, bytes: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error })) }
}
