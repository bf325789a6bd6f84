import type { GivenOf, ReplyOf } from '../contract/endpoint.ts'
import type { EndpointName, Endpoints } from '../contract/endpoints/endpoints.ts'

/** The service that a client uses, and its key. */
export type ClientOptions = {
  /** Address of the service: `https://host`, with a path if it is served below one. Plain http only to this machine. */
  origin: string
  /** Sent to this address and to no other; redirects are not followed. */
  key?: string | undefined
  /** Aborts every call in progress. */
  signal?: AbortSignal | undefined
  /** Replaces Node's own HTTP. */
  fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** A method for every endpoint, and two that return the reply itself. All reject with a Fault on failure. */
export type Client = Methods & {
  /** Sends a call and returns the successful reply with its body unread, for content too large to hold in memory. */
  stream<Name extends EndpointName>(
    name: Name,
    input: SentOf<Endpoints[Name]>,
    options?: StreamOptions
  ): Promise<Response>
  /** Sends any request to any path of the service, with the key, and returns the reply whatever its status. */
  send(message: Message, options?: CallOptions): Promise<Response>
}

export type Methods = { [Name in EndpointName]: ClientMethod<Endpoints[Name]> }

/** A method takes no input if its row takes none. */
export type ClientMethod<Row> =
  unknown extends SentOf<Row>
    ? (input?: NoInput, options?: CallOptions) => Promise<AnswerOf<Row>>
    : (input: SentOf<Row>, options?: CallOptions) => Promise<AnswerOf<Row>>

export type NoInput = Readonly<Record<string, never>>

/**
 * The input of a call: the parts that its row names, with the lines of a snapshot instead of a JSON body if the row
 * allows them.
 */
export type SentOf<Row> = Row extends { body: { lines: true } }
  ? Row extends { body: { json: object } }
    ? GivenOf<Row> | (Omit<GivenOf<Row>, 'body'> & { lines: Lines })
    : GivenOf<Row> & { lines: Lines }
  : GivenOf<Row>

/** The result of a call: the value of its JSON, or its text. */
export type AnswerOf<Row> = Row extends { replies: readonly [{ text: string }] } ? string : ReplyOf<Row>

/** The lines of a snapshot, as one array or as a stream. */
export type Lines = Uint8Array | AsyncIterable<Uint8Array>

export type CallOptions = { signal?: AbortSignal | undefined }

export type StreamOptions = CallOptions & {
  /** The requested media type: `application/jsonl` for lines. */
  accept?: string
}

/** A request to a path that need not be an endpoint. */
export type Message = {
  method: string
  /** Includes the query, if any. */
  path: string
  body?: { bytes: Uint8Array; type: string } | undefined
  /** Headers besides those that the client sets. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** The input of any call, in the parts that are sent. */
export type AnyInput = {
  params?: Readonly<Record<string, unknown>> | undefined
  query?: Readonly<Record<string, unknown>> | undefined
  body?: unknown
  lines?: Lines | undefined
}
