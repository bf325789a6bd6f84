import type { JsonSchema } from '../../src/contract/json-schema.ts'

/** What the samples of a document need to know: its named schemas, and values for strings that must exist. */
export type Samples = { schemas: Record<string, JsonSchema>; uuid: string }

type Members = Record<string, JsonSchema>

/** A value that fits a schema, made of what the schema says: required members, and of several forms the first. */
export function sampleValue(schema: JsonSchema, samples: Samples): unknown {
  const { $ref, anyOf, const: constant, enum: choices, type } = schema
  if (typeof $ref === 'string') return sampleValue(resolve($ref, samples), samples)
  if (constant !== undefined) return constant
  if (Array.isArray(choices)) return choices[0]
  if (Array.isArray(anyOf)) return sampleValue(anyOf[0], samples)
  if (type === 'object') return sampleObject(schema, samples)
  if (type === 'array') return schema.minItems === undefined ? [] : [sampleValue(schema.items as JsonSchema, samples)]
  if (type === 'string') return sampleString(schema, samples)
  if (type === 'boolean') return true
  return type === 'integer' || type === 'number' ? (schema.minimum ?? 0) : null
}

/** The members of an object, by name. */
export function membersOf(schema: JsonSchema, samples: Samples): Members {
  if (typeof schema.$ref === 'string') return membersOf(resolve(schema.$ref, samples), samples)
  return (schema.properties ?? {}) as Members
}

/** A value of another type than any that the schema takes; undefined where it takes all. */
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

function sampleObject(schema: JsonSchema, samples: Samples): unknown {
  const members = membersOf(schema, samples)
  const [form] = (schema.oneOf ?? []) as { required: string[] }[]
  const names = [...((schema.required ?? []) as string[]), ...(form?.required ?? [])]
  return Object.fromEntries(names.map((name) => [name, sampleValue(members[name] ?? {}, samples)]))
}

const PATTERNS: readonly string[] = [
  `snp_${'a'.repeat(32)}`,
  `mem_${'a'.repeat(32)}`,
  '2026-01-02T03:04:05.000Z',
  'a'.repeat(64)
]

function sampleString({ format, pattern }: JsonSchema, { uuid }: Samples): string {
  if (format === 'uuid') return uuid
  if (typeof pattern !== 'string') return 'sample'
  return PATTERNS.find((text) => new RegExp(pattern).test(text)) ?? 'sample'
}

function resolve($ref: string, { schemas }: Samples): JsonSchema {
  const schema = schemas[$ref.slice('#/components/schemas/'.length)]
  if (!schema) throw new Error(`${$ref} is nowhere`)
  return schema
}
