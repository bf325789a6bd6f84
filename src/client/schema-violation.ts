import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema'
import { CALL_SHAPES } from '../contract/endpoints/call-row.ts'
import type { JsonSchema } from '../contract/endpoints/json-schema.ts'

// Replies are validated against recorded JSON Schemas and not by the zod schemas of the endpoint rows, which they are generated from:
// loading the rows with zod takes 24 ms more than starting bare Node (median of 21 starts). `connections list`, at 1.8x of bare Node
// (`node test/bench/bench.mjs start`), would exceed its limit of 2x.

/** A place in a value, as a JSON Pointer (RFC 6901), and why the value there does not match. */
export type SchemaViolation = { pointer: string; reason: string }

/** Returns the first place where a JSON value violates a schema of a `CallRow`; undefined if it is valid. */
export function findSchemaViolation(schema: JsonSchema, value: unknown): SchemaViolation | undefined {
  const { valid, errors } = validateValue(value, getValidator(schema))
  if (valid) return undefined
  const { instanceLocation = '#', error = 'The value does not match.' } = errors.find(isCause) ?? {}
  return { pointer: instanceLocation.slice(1), reason: error.replace(/\.$/, '') }
}

/** The validator encodes member names as a URI, which fails for half a surrogate pair. */
function validateValue(value: unknown, validator: Validator): { valid: boolean; errors: Partial<OutputUnit>[] } {
  try {
    return validator.validate(value)
  } catch (error) {
    if (error instanceof URIError) return { valid: false, errors: [{ error: 'A member name is not valid Unicode.' }] }
    throw error
  }
}

/** Cached, because a command that waits reads the same reply repeatedly. */
const validators = new WeakMap<JsonSchema, Validator>()

function getValidator(schema: JsonSchema): Validator {
  const known = validators.get(schema)
  if (known !== undefined) return known
  const validator = new Validator({ ...schema, $defs: CALL_SHAPES } as Schema, '2020-12')
  validators.set(schema, validator)
  return validator
}

/** Selects the errors that are causes; others only report that something inside does not match. */
function isCause({ keyword = '' }: Partial<OutputUnit>): boolean {
  return !['$ref', 'properties', 'items', 'prefixItems'].includes(keyword)
}
