import type { PlaceOwner } from './in-flight-requests.ts'

/** The other end of the connection. */
export type Peer = {
  address: string
  /**
   * Resolves with true when the whole reply was sent, or with false when the connection closed before; it never
   * rejects. Absent without a connection: then the request's own signal reports that the caller has disconnected.
   */
  sent?: Promise<boolean>
}

/** A request in progress, with the values that log and metrics record. */
export type RequestContext = {
  request: Request
  requestId: string
  /** The network address for which invalid keys are counted. */
  address: string
  /** Aborted when the caller disconnects or the server stops waiting. */
  signal: AbortSignal
  /** Counts the request as in progress until the last byte of the reply. Throws if the limit is reached. */
  begin(caller: PlaceOwner): void
  /** Headers that every reply to the request has. */
  headers: Headers
  /** The path of the matching row, with its parameters as names. */
  route: string | undefined
  keyId: string | undefined
  /**
   * Whether the request is for the state of the server or for a page. Machines send such requests often, so they are
   * logged only if they fail.
   */
  isPublic: boolean
  /** Whether a browser shows the reply as a page. Faults are then pages, too. */
  forPage: boolean
  /** Whether the reply is a page with a form. */
  hasForm: boolean
  /** The number of body bytes that were read. */
  bytesIn: number
}
