import type { PlaceOwner } from './in-flight-requests.ts'

/** Who is at the other end of the connection. */
export type Peer = {
  address: string
  /**
   * Resolves with true once the reply was sent whole, with false when the connection closed first; it never rejects.
   * Absent where there is no connection: then the request's own signal tells that its caller has gone.
   */
  sent?: Promise<boolean>
}

/** One request on its way through, with what is noted of it for log and metrics. */
export type RequestContext = {
  request: Request
  requestId: string
  /** The network address that wrong keys are counted for. */
  address: string
  /** Aborted when the caller goes away or the server can wait no longer. */
  signal: AbortSignal
  /** Takes a place among those that are worked on, until the last byte of the reply. Throws where there is none. */
  begin(caller: PlaceOwner): void
  /** Headers that the reply has whatever it says. */
  headers: Headers
  /** The path of the row that it fits, with its parameters as names. */
  route: string | undefined
  keyId: string | undefined
  /** It asks for the state of the server or for a page, as machines do every second: not told of unless it fails. */
  isPublic: boolean
  /** It is for a page that a browser shows: a fault is one, too. */
  forPage: boolean
  /** The reply is a page with a form. */
  hasForm: boolean
  /** Bytes of the body that were read. */
  bytesIn: number
}
