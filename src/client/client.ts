import type { GivenOf, ReplyOf } from '../contract/endpoint.ts'
import type { EndpointName, Endpoints } from '../contract/endpoints/endpoints.ts'

/** Which service a client is for, and with which key. */
export type ClientOptions = {
  /** Address of the service: `https://host`, and a path where it lies below one. Plain http only to this machine. */
  origin: string
  /** Goes to this address and to no other; redirects are not followed. */
  key?: string | undefined
  /** Ends every call that is under way. */
  signal?: AbortSignal | undefined
  /** In place of Node's own HTTP. */
  fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** A method for every endpoint, and two ways to the reply itself. Everything rejects with a Fault when it fails. */
export type Client = Methods & {
  /** Sends a call and gives the reply of a success with its body unread, for what is too large to be held. */
  stream<Name extends EndpointName>(
    name: Name,
    input: SentOf<Endpoints[Name]>,
    options?: StreamOptions
  ): Promise<Response>
  /** Sends anything to any path of the service, with the key, and gives the reply whatever its status. */
  send(message: Message, options?: CallOptions): Promise<Response>
}

export type Methods = { [Name in EndpointName]: ClientMethod<Endpoints[Name]> }

/** Where a row takes no input, there is none to give. */
export type ClientMethod<Row> =
  unknown extends SentOf<Row>
    ? (input?: NoInput, options?: CallOptions) => Promise<AnswerOf<Row>>
    : (input: SentOf<Row>, options?: CallOptions) => Promise<AnswerOf<Row>>

export type NoInput = Readonly<Record<string, never>>

/** What a call takes: the parts that its row names; the lines of a snapshot in place of a JSON body where it says so. */
export type SentOf<Row> = Row extends { body: { lines: true } }
  ? Row extends { body: { json: object } }
    ? GivenOf<Row> | (Omit<GivenOf<Row>, 'body'> & { lines: Lines })
    : GivenOf<Row> & { lines: Lines }
  : GivenOf<Row>

/** What a call answers: the value of its JSON, or its text. */
export type AnswerOf<Row> = Row extends { replies: readonly [{ text: string }] } ? string : ReplyOf<Row>

/** The lines of a snapshot, in one piece or as they come. */
export type Lines = Uint8Array | AsyncIterable<Uint8Array>

export type CallOptions = { signal?: AbortSignal | undefined }

export type StreamOptions = CallOptions & {
  /** The media type that is wanted: `application/jsonl` for lines. */
  accept?: string
}

/** A request to a path that may be none of the endpoints. */
export type Message = {
  method: string
  /** With its query, if any. */
  path: string
  body?: { bytes: Uint8Array; type: string } | undefined
}

/** The input of any call, its parts as they are sent. */
export type AnyInput = {
  params?: Readonly<Record<string, unknown>> | undefined
  query?: Readonly<Record<string, unknown>> | undefined
  body?: unknown
  lines?: Lines | undefined
}
