import type { z } from 'zod'
import type { FaultCode } from './faults.ts'

/**
 * The access that a call requires: no key; any valid key; a key that may read or edit the collections of the call; an
 * admin key.
 */
export type Access = 'public' | 'authenticated' | 'read' | 'edit' | 'admin'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * One endpoint of the service. The method of the client, the validation, the permission check and the OpenAPI document
 * all follow from this row.
 */
export type Endpoint = {
  method: Method
  /** `{name}` stands for a member of `params`. */
  path: `/${string}`
  /** A short phrase for lists. */
  summary: string
  /** What a caller should know before using the endpoint. */
  about?: string
  access: Access
  params?: z.ZodObject
  query?: z.ZodObject
  body?: Body
  /** The replies by status, the usual one first. */
  replies: readonly [Reply, ...Reply[]]
  /** Other replies than problem details to a failed request: error pages for a person, or errors of another protocol. */
  refusals?: readonly Refusal[]
  /**
   * The endpoint changes something although it needs no key. It is rate limited and logged like an endpoint that needs
   * one, and has no HEAD.
   */
  acts?: true
  /** The faults of this endpoint alone. `listFaults` adds those that every endpoint has. */
  faults: readonly FaultCode[]
}

export type Body = {
  json?: z.ZodType
  /** The engine reads the member `snapshot` of the body. The schema `json` sees the snapshot without its records. */
  holdsSnapshot?: true
  /** The body may be the lines of a snapshot (`application/jsonl`), as the only form or besides JSON. */
  lines?: true
  /** The form of a page (`application/x-www-form-urlencoded`), instead of JSON. */
  form?: z.ZodType
  /** The body is optional. */
  optional?: true
  /** The maximum size in bytes, if it is lower than that of the server. */
  bytesMax?: number
}

export type Reply = {
  status: 200 | 201 | 202
  about: string
  json?: z.ZodType
  /** The media type of a reply that is not JSON. */
  text?: string
  /** With `Accept: application/jsonl`, the reply is sent as lines. */
  lines?: true
  /** With `Accept: text/event-stream`, the reply may be sent as events whose data is JSON. */
  events?: true
}

/** Without `json`, the reply is a page. */
export type Refusal = { status: 400 | 403 | 404 | 410 | 502; about: string; json?: z.ZodType }

/** The input of a call: the parts that its row names. */
export type InputOf<Row> = Part<Row, 'params'> & Part<Row, 'query'> & BodyPart<Row>

/** The input of a call as the caller writes it, before defaults are applied. */
export type GivenOf<Row> = Given<Row, 'params'> & Given<Row, 'query'> & GivenBody<Row>

/** The JSON reply of a call: one of the replies of its row. */
export type ReplyOf<Row> = Row extends { replies: readonly (infer One)[] }
  ? One extends { json: infer S extends z.ZodType }
    ? z.output<S>
    : never
  : never

type Part<Row, Name extends string> = Row extends { [N in Name]: infer S extends z.ZodType }
  ? { [N in Name]: z.output<S> }
  : unknown
/** A part whose members are all optional may be omitted. */
type Given<Row, Name extends string> = Row extends { [N in Name]: infer S extends z.ZodType }
  ? Record<never, never> extends z.input<S>
    ? { [N in Name]?: z.input<S> }
    : { [N in Name]: z.input<S> }
  : unknown
type BodyPart<Row> = Row extends { body: { json: infer S extends z.ZodType; optional: true } }
  ? { body: z.output<S> | undefined }
  : Row extends { body: { json: infer S extends z.ZodType } | { form: infer S extends z.ZodType } }
    ? { body: z.output<S> }
    : unknown
type GivenBody<Row> = Row extends { body: { json: infer S extends z.ZodType; optional: true } }
  ? { body?: z.input<S> }
  : Row extends { body: { json: infer S extends z.ZodType } | { form: infer S extends z.ZodType } }
    ? { body: z.input<S> }
    : unknown

/**
 * Returns the row with its types, together with what its permission check applies to: the collections that an input
 * names, or the one collection of a connection or an attempt. Without either, any valid key is accepted.
 */
export function defineEndpoint<const Row extends Endpoint>(
  row: Row,
  concerning?: ((input: InputOf<Row>) => readonly string[]) | ConcerningOne<InputOf<Row>>
): Row & Concerning {
  if (concerning === undefined) return row
  return { ...row, ...(typeof concerning === 'function' ? { collections: concerning } : concerning) } as Row &
    Concerning
}

type ConcerningOne<Input> = { connection: (input: Input) => string } | { attempt: (input: Input) => string }

/** What the permission check of a row applies to; a row has at most one of these. `attempt` returns a `state`. */
export type Concerning = {
  collections?: ((input: never) => readonly string[]) | undefined
  connection?: ((input: never) => string) | undefined
  attempt?: ((input: never) => string) | undefined
}

/** Lists every fault that an endpoint may reply with: its own, and those that follow from its access and its input. */
export function listFaults(row: Endpoint & Concerning): FaultCode[] {
  const { access, body, params, query, faults } = row
  const concerns = row.collections !== undefined || row.connection !== undefined || row.attempt !== undefined
  const codes: FaultCode[] = ['unavailable']
  if (access !== 'public') codes.push('unauthenticated', 'rate_limited', 'damaged_storage')
  if (row.acts) codes.push('rate_limited')
  if (access === 'admin' || concerns) codes.push('forbidden')
  if (concerns) codes.push('not_found')
  // A query that the endpoint does not have is invalid input, too.
  if (access !== 'public' || params || query || body) codes.push('invalid_input')
  if (body !== undefined) codes.push('malformed_json', 'too_large', 'unsupported_media', 'timed_out')
  if (body?.holdsSnapshot || body?.lines) codes.push('invalid_snapshot')
  return [...new Set([...codes, ...faults])]
}
