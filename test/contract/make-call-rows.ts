import * as z from 'zod'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import type { CallReply, CallRow } from '../../src/contract/endpoints/call-row.ts'
import { ENDPOINTS } from '../../src/contract/endpoints/endpoints.ts'
import { type JsonSchema, SCHEMA_NAMES } from '../../src/contract/endpoints/json-schema.ts'

/**
 * Keywords that do not affect validation: descriptions, formats that a pattern states exactly, and permission for any
 * value.
 */
const WORDS = ['$schema', 'id', 'description', 'examples', 'default', 'format', 'propertyNames']

/** Returns the text of `src/contract/endpoints/call-rows.json`: a line for each named shape, and for each endpoint. */
export function makeCallRows(): string {
  const shapes: Record<string, JsonSchema> = {}
  const rows = Object.entries<Endpoint>(ENDPOINTS).map(([name, row]) => [name, callRow(row, shapes)] as const)
  const named = Object.entries(shapes).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{\n"$defs": ${lines(named)},\n"rows": ${lines(rows)}\n}\n`
}

function lines(members: readonly (readonly [string, unknown])[]): string {
  return `{\n${members.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(',\n')}\n}`
}

function callRow(row: Endpoint, shapes: Record<string, JsonSchema>): CallRow {
  const { method, path, access, body, replies, refusals } = row
  return {
    ...{ method, path, access },
    ...(body?.form !== undefined && { form: true }),
    replies: replies.map(({ status, json }): CallReply => ({ status, ...(json && { json: shapeOf(json, shapes) }) })),
    ...(refusals !== undefined && { refusals: refusals.map(({ status }) => status) })
  }
}

/** Converts a schema to an equally strict JSON Schema. Named schemas are added to `shapes`. */
function shapeOf(schema: z.ZodType, shapes: Record<string, JsonSchema>): JsonSchema {
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: SCHEMA_NAMES })
  const { $defs = {}, ...whole } = withoutWords(made) as JsonSchema & { $defs?: Record<string, JsonSchema> }
  Object.assign(shapes, $defs)
  return whole
}

/** Removes the keywords of a schema that do not affect validation. Member names are kept, whatever they are. */
function withoutWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutWords)
  if (typeof schema !== 'object' || schema === null) return schema
  const kept = Object.entries(schema).filter(([keyword, value]) => !WORDS.includes(keyword) && !isAnything(value))
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, MAPS.includes(keyword) ? eachWithoutWords(value) : withoutWords(value)])
  )
}

/** Keywords whose value contains schemas by name. */
const MAPS = ['properties', '$defs']

function eachWithoutWords(schemas: object): JsonSchema {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutWords(schema)]))
}

function isAnything(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
}
