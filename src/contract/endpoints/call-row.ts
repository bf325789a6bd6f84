import type { Access, Method, Refusal, Reply } from '../endpoint.ts'
import callRows from './call-rows.json' with { type: 'json' }
import type { EndpointName } from './endpoints.ts'
import type { JsonSchema } from './json-schema.ts'

/** The part of an endpoint's row that a caller needs, as plain data that takes no time to load. */
export type CallRow = {
  method: Method
  /** `{name}` stands for a member of `params`. */
  path: `/${string}`
  access: Access
  /** The body is sent as a form. */
  form?: true
  /** The replies by status. A reply without `json` is text. */
  replies: readonly CallReply[]
  /** The statuses of error pages. */
  refusals?: readonly Refusal['status'][]
}

export type CallReply = Pick<Reply, 'status'> & {
  /** The schema of the reply. `#/$defs/NAME` refers to `CALL_SHAPES`. */
  json?: JsonSchema
}

/** The rows of `ENDPOINTS` for callers. A test generates the file, and checks that both accept the same replies. */
export const CALL_ROWS = callRows.rows as unknown as Readonly<Record<EndpointName, CallRow>>

/** The schemas that several replies share, by name. */
export const CALL_SHAPES: Readonly<Record<string, JsonSchema>> = callRows.$defs
