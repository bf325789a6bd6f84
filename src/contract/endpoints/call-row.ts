import type { Access, Method, Refusal, Reply } from '../endpoint.ts'
import callRows from './call-rows.json' with { type: 'json' }
import type { EndpointName } from './endpoints.ts'
import type { JsonSchema } from './json-schema.ts'

/** What a caller needs of an endpoint's row, as plain data: nothing has to be loaded or made for it. */
export type CallRow = {
  method: Method
  /** `{name}` stands for a member of `params`. */
  path: `/${string}`
  access: Access
  /** Its body is that of a form. */
  form?: true
  /** By status. What has no `json` is text. */
  replies: readonly CallReply[]
  /** The statuses of its refusals. */
  refusals?: readonly Refusal['status'][]
}

export type CallReply = Pick<Reply, 'status'> & {
  /** What the value fits. `#/$defs/NAME` refers to `CALL_SHAPES`. */
  json?: JsonSchema
}

/** `ENDPOINTS` for callers. A test makes it from there, holds both to one verdict on every reply, and records it. */
export const CALL_ROWS = callRows.rows as unknown as Readonly<Record<EndpointName, CallRow>>

/** Schemas that several replies refer to, by name. */
export const CALL_SHAPES: Readonly<Record<string, JsonSchema>> = callRows.$defs
