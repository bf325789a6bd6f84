import type { z } from 'zod'
import type { FaultCode } from './faults.ts'

/** Who may call: anybody; any valid key; a key that may read or edit the collections of the call; an admin's key. */
export type Access = 'public' | 'authenticated' | 'read' | 'edit' | 'admin'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * One endpoint of the service, and all there is to know of it: the client's method, the validation, the permission check
 * and the OpenAPI document are made from this row and from nothing else.
 */
export type Endpoint = {
  method: Method
  /** `{name}` stands for a member of `params`. */
  path: `/${string}`
  /** A few words, for lists. */
  summary: string
  /** What a caller wants to know before using it. */
  about?: string
  access: Access
  params?: z.ZodObject
  query?: z.ZodObject
  body?: Body
  /** By status, the usual one first. */
  replies: readonly [Reply, ...Reply[]]
  /** Pages for a person that say why it did not come about: what a refusal is where a browser asks. */
  refusals?: readonly Refusal[]
  /** It changes something though no key comes with it: it counts and is logged like what has one, and has no HEAD. */
  acts?: true
  /** Those of its own. What any endpoint may answer is added by `listFaults`. */
  faults: readonly FaultCode[]
}

export type Body = {
  json?: z.ZodType
  /** Its member `snapshot`, if any, is read by the engine and not by `json`, which sees it without its records. */
  holdsSnapshot?: true
  /** The body may also be, or only be, the lines of a snapshot (`application/jsonl`). */
  lines?: true
  /** What a form of a page sends (`application/x-www-form-urlencoded`), in place of JSON. */
  form?: z.ZodType
  /** It may be left out. */
  optional?: true
}

export type Reply = {
  status: 200 | 201
  about: string
  json?: z.ZodType
  /** The media type of a reply that is no JSON. */
  text?: string
  /** With `Accept: application/jsonl` the same comes as lines. */
  lines?: true
}

export type Refusal = { status: 400 | 403 | 404 | 410 | 502; about: string }

/** What the input of a call consists of: the parts that its row names. */
export type InputOf<Row> = Part<Row, 'params'> & Part<Row, 'query'> & BodyPart<Row>

/** The same as a caller may write it, before defaults are filled in. */
export type GivenOf<Row> = Given<Row, 'params'> & Given<Row, 'query'> & GivenBody<Row>

/** What a call answers, as JSON: one of the replies. */
export type ReplyOf<Row> = Row extends { replies: readonly (infer One)[] }
  ? One extends { json: infer S extends z.ZodType }
    ? z.output<S>
    : never
  : never

type Part<Row, Name extends string> = Row extends { [N in Name]: infer S extends z.ZodType }
  ? { [N in Name]: z.output<S> }
  : unknown
type Given<Row, Name extends string> = Row extends { [N in Name]: infer S extends z.ZodType }
  ? { [N in Name]: z.input<S> }
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
 * A row as it is, its types kept, and whose permission `read` or `edit` is asked of for an input: collections by their ids, or
 * the one collection that a connection or an attempt to make one belongs to. Where there is none, any valid key will do.
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

/** What a row says about whose permission is asked: at most one of them. `attempt` gives a `state`. */
export type Concerning = {
  collections?: ((input: never) => readonly string[]) | undefined
  connection?: ((input: never) => string) | undefined
  attempt?: ((input: never) => string) | undefined
}

/** Every fault that an endpoint may answer with: its own, and those that follow from its access and its input. */
export function listFaults(row: Endpoint & Concerning): FaultCode[] {
  const { access, body, params, query, faults } = row
  const concerns = row.collections !== undefined || row.connection !== undefined || row.attempt !== undefined
  const codes: FaultCode[] = ['unavailable']
  if (access !== 'public') codes.push('unauthenticated', 'rate_limited', 'damaged_storage')
  if (row.acts) codes.push('rate_limited')
  if (access === 'admin' || concerns) codes.push('forbidden')
  if (concerns) codes.push('not_found')
  // A query that nobody asked for is one, too.
  if (access !== 'public' || params || query || body) codes.push('invalid_input')
  if (body !== undefined) codes.push('malformed_json', 'too_large', 'unsupported_media', 'timed_out')
  if (body?.holdsSnapshot || body?.lines) codes.push('invalid_snapshot')
  return [...new Set([...codes, ...faults])]
}
