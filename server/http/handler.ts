import type { InputOf } from '../../src/contract/endpoint.ts'
import type { EndpointName, Endpoints } from '../../src/contract/endpoints/endpoints.ts'
import type { SnapshotBytes } from '../recall/engine/engine.ts'
import type { HandlerReply } from './reply/answer-reply.ts'

/** The caller. `permission` is the access of a key to a collection; an admin's key has all access. */
export type Caller = {
  keyId: string
  name: string
  admin: boolean
  grants: ReadonlyMap<string, 'read' | 'edit'>
}

/** An accepted call: its key is valid and has access, and its input matches the row. */
export type Call<Row> = InputOf<Row> & {
  /** The query as received, repeated parameters included. */
  search: URLSearchParams
  /** Undefined if the endpoint is public. */
  caller: Caller | undefined
  /** The snapshot in the call: `snapshot` of a JSON body, or a body of lines. */
  snapshot: SnapshotBytes | undefined
  /** Whether the caller prefers lines, if the row offers them. */
  wantsLines: boolean
  requestId: string
  /** The headers of the request. They contain the key of the caller. */
  headers: Headers
  /** Aborted when the caller leaves or the server stops waiting. */
  signal: AbortSignal
}

export type Handler<Row> = (call: Call<Row>) => Promise<HandlerReply<Row>>

/** One handler for each row. A missing handler does not compile. */
export type Handlers = { [Name in EndpointName]: Handler<Endpoints[Name]> }
