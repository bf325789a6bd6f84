import type { JsonSchema } from '../../../src/contract/endpoints/json-schema.ts'

/** The inputs of samples: the named schemas of a document, and the id that is used for every UUID. */
export type Samples = { schemas: Record<string, JsonSchema>; uuid: string }

type Members = Record<string, JsonSchema>

/** Builds a sample value from a schema: the required members, and the first of several forms. */
export function sampleValue(schema: JsonSchema, samples: Samples): unknown {
  const { $ref, anyOf, const: constant, enum: choices, examples, type } = schema
  if (Array.isArray(examples)) return examples[0]
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

/** Returns the members of an object by name. */
export function listMembers(schema: JsonSchema, samples: Samples): Members {
  if (typeof schema.$ref === 'string') return listMembers(resolve(schema.$ref, samples), samples)
  return (schema.properties ?? {}) as Members
}

function sampleObject(schema: JsonSchema, samples: Samples): unknown {
  const members = listMembers(schema, samples)
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

/** Returns the named schema of a reference. */
export function resolve($ref: string, { schemas }: Pick<Samples, 'schemas'>): JsonSchema {
  const schema = schemas[$ref.slice('#/components/schemas/'.length)]
  if (!schema) throw new Error(`${$ref} is not defined`)
  return schema
}
