import type { InputOf } from '../../src/contract/endpoint.ts'
import type { EndpointName, Endpoints } from '../../src/contract/endpoints/endpoints.ts'
import type { SnapshotBytes } from '../recall/engine/engine.ts'
import type { HandlerReply } from './reply/answer-reply.ts'

/** Who calls. `permission` is what the key may do in a collection; an admin's key may do all. */
export type Caller = {
  keyId: string
  name: string
  admin: boolean
  grants: ReadonlyMap<string, 'read' | 'edit'>
}

/** A call that was let in: its key is valid and may do this, its input fits the row. */
export type Call<Row> = InputOf<Row> & {
  /** The query as it came, repeats included. */
  search: URLSearchParams
  /** Undefined where the endpoint is public. */
  caller: Caller | undefined
  /** The snapshot that came with it: `snapshot` of a JSON body, or a body of lines. */
  snapshot: SnapshotBytes | undefined
  /** The caller rather has lines, where the row offers them. */
  wantsLines: boolean
  requestId: string
  /** Aborted when the caller goes away or the server can wait no longer. */
  signal: AbortSignal
}

export type Handler<Row> = (call: Call<Row>) => Promise<HandlerReply<Row>>

/** One for each row: a missing one does not compile. */
export type Handlers = { [Name in EndpointName]: Handler<Endpoints[Name]> }
