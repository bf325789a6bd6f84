import type { Schema } from './google-description.ts'

type Schemas = Readonly<Record<string, Schema>>

/**
 * Returns the requested fields of a partial response that the reply does not have. Google refuses such a call
 * (https://developers.google.com/workspace/drive/api/guides/performance, `a/b`, `a(b,c)`, `*`).
 */
export function maskComplaints(schemas: Schemas, reply: string | undefined, mask: string): string[] {
  const words = mask.match(/[A-Za-z0-9_*-]+|[(),/]/g) ?? []
  if (words.join('') !== mask) return [`fields: ${mask} has other signs`]
  const reader = { words, at: 0, complaints: [] as string[] }
  readList(schemas, reply === undefined ? undefined : { $ref: reply }, reader)
  return reader.at === words.length ? reader.complaints : [...reader.complaints, `fields: ${mask} is no mask`]
}

type Reader = { words: string[]; at: number; complaints: string[] }

function readList(schemas: Schemas, schema: Schema | undefined, reader: Reader): void {
  do {
    if (reader.words[reader.at] === ',') reader.at += 1
    readPath(schemas, schema, reader)
  } while (reader.words[reader.at] === ',')
}

function readPath(schemas: Schemas, schema: Schema | undefined, reader: Reader): void {
  const name = reader.words[reader.at] ?? ''
  reader.at += 1
  const inner = memberOf(schemas, schema, name)
  if (schema !== undefined && inner === undefined && name !== '*') reader.complaints.push(`fields: no member ${name}`)
  if (reader.words[reader.at] === '/') {
    reader.at += 1
    readPath(schemas, inner, reader)
  } else if (reader.words[reader.at] === '(') {
    reader.at += 1
    readList(schemas, inner, reader)
    reader.at += 1
  }
}

/** Returns the schema of a member; for an array, that of its items. */
function memberOf(schemas: Schemas, schema: Schema | undefined, name: string): Schema | undefined {
  if (schema === undefined) return undefined
  if (schema.$ref !== undefined) return memberOf(schemas, schemas[schema.$ref], name)
  if (schema.type === 'array') return memberOf(schemas, schema.items, name)
  return schema.properties?.[name] ?? schema.additionalProperties
}
