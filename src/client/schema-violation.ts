import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema'
import { CALL_SHAPES } from '../contract/endpoints/call-row.ts'
import type { JsonSchema } from '../contract/endpoints/json-schema.ts'

// Replies are validated against recorded JSON Schemas and not by the zod schemas of the endpoint rows, which they are generated from:
// loading the rows with zod takes 24 ms more than starting bare Node (median of 21 starts). `connections list`, at 1.8x of bare Node
// (`node test/bench/bench.mjs start`), would exceed its limit of 2x.

/** A place in a value, as a JSON Pointer (RFC 6901), and why what stands there does not fit. */
export type SchemaViolation = { pointer: string; reason: string }

/** Where a value, of JSON, is none that a schema of a `CallRow` takes; undefined where it takes it. */
export function findSchemaViolation(schema: JsonSchema, value: unknown): SchemaViolation | undefined {
  const { valid, errors } = validateValue(value, getValidator(schema))
  if (valid) return undefined
  const { instanceLocation = '#', error = 'it has another shape' } = errors.find(isCause) ?? {}
  return { pointer: instanceLocation.slice(1), reason: error.replace(/\.$/, '') }
}

/** The validator writes the names of members that it looks at as a URI, which half a surrogate pair cannot be part of. */
function validateValue(value: unknown, validator: Validator): { valid: boolean; errors: Partial<OutputUnit>[] } {
  try {
    return validator.validate(value)
  } catch (error) {
    if (error instanceof URIError) return { valid: false, errors: [{ error: 'The name of a member is no Unicode.' }] }
    throw error
  }
}

/** A command that waits reads the same reply again and again. */
const validators = new WeakMap<JsonSchema, Validator>()

function getValidator(schema: JsonSchema): Validator {
  const known = validators.get(schema)
  if (known !== undefined) return known
  const validator = new Validator({ ...schema, $defs: CALL_SHAPES } as Schema, '2020-12')
  validators.set(schema, validator)
  return validator
}

/** The others say that something inside does not fit. */
function isCause({ keyword = '' }: Partial<OutputUnit>): boolean {
  return !['$ref', 'properties', 'items', 'prefixItems'].includes(keyword)
}
