import { resolve, type Samples } from '../../server/http/openapi/sample-value.ts'
import type { JsonSchema } from '../../src/contract/endpoints/json-schema.ts'

/** Returns a value of a type that the schema does not accept; undefined if it accepts all types. */
export function wrongValue(schema: JsonSchema, samples: Samples): unknown {
  const taken = typesOf(schema, samples)
  if (taken.length === 0) return undefined
  return Object.entries({ string: 'x', boolean: true, array: [[]], object: { odd: 1 } }).find(
    ([type]) => !taken.includes(type)
  )?.[1]
}

function typesOf({ $ref, anyOf, type }: JsonSchema, samples: Samples): string[] {
  if (typeof $ref === 'string') return typesOf(resolve($ref, samples), samples)
  if (Array.isArray(anyOf)) return anyOf.flatMap((one) => typesOf(one, samples))
  return [type].flat().filter((one) => typeof one === 'string')
}
