import { type Access, type Body, type Endpoint, faultsOf } from '../../../src/contract/endpoint.ts'
import { FAULTS, type FaultCode } from '../../../src/contract/faults.ts'
import type { JsonSchema, jsonSchemaOf } from '../../../src/contract/json-schema.ts'
import type { Row } from '../serve-row.ts'
import type { ApiResponse, Content, Operation, Parameter } from './open-api.ts'
import { tagOf } from './tags.ts'

type Schema = Parameters<typeof jsonSchemaOf>[0]

/** Writes a schema down and gives back what refers to it. */
export type SchemaOf = (schema: Schema) => JsonSchema

/** One row as an operation of the document. */
export function operationOf(name: string, row: Row, schemaOf: SchemaOf): Operation {
  const parameters = [...parametersOf(row.params, 'path', schemaOf), ...parametersOf(row.query, 'query', schemaOf)]
  return {
    operationId: name,
    summary: row.summary,
    description: [row.about, whoMay(row)].filter((text) => text !== undefined).join('\n\n'),
    tags: [tagOf(row.path)],
    security: row.access === 'public' ? [] : [{ bearer: [] }, { apiKey: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(row.body && { requestBody: { required: !row.body.optional, content: bodyContent(row.body, schemaOf) } }),
    responses: { ...replyResponses(row, schemaOf), ...failureResponses(row), default: OTHERWISE },
    'x-access': row.access,
    'x-faults': faultsOf(row)
  }
}

function whoMay(row: Row): string {
  if (row.connection) return `Needs a key that may ${row.access} the collection of the connection.`
  if (row.attempt) return `Needs a key that may ${row.access} the collection of the attempt.`
  return WHO_MAY[row.access]
}

const WHO_MAY: Readonly<Record<Access, string>> = {
  public: 'Needs no key.',
  authenticated: 'Any valid key may.',
  read: 'Needs a key that may read the collections it names; where it names none, any valid key may.',
  edit: 'Needs a key that may edit the collection it names; where it names none, any valid key may.',
  admin: "Needs an admin's key."
}

function parametersOf(schema: Schema | undefined, place: 'path' | 'query', schemaOf: SchemaOf): Parameter[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema) as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...member }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(typeof description === 'string' ? { description } : {}),
    schema: member
  }))
}

const LINES: JsonSchema = { type: 'string', description: 'The lines of a snapshot, each a JSON object, ended by LF.' }

function bodyContent({ json, form, lines }: Body, schemaOf: SchemaOf): Content {
  return {
    ...(json && { 'application/json': { schema: schemaOf(json) } }),
    ...(form && { 'application/x-www-form-urlencoded': { schema: schemaOf(form) } }),
    ...(lines && { 'application/jsonl': { schema: LINES } })
  }
}

function replyResponses({ replies }: Endpoint, schemaOf: SchemaOf): Record<string, ApiResponse> {
  const responses = replies.map(({ status, about, json, text, lines }): [string, ApiResponse] => {
    const content = {
      ...(json && { 'application/json': { schema: schemaOf(json) } }),
      ...(lines && { 'application/jsonl': { schema: LINES } }),
      ...(text !== undefined && { [text]: { schema: { type: 'string' } } })
    }
    return [String(status), { description: about, content }]
  })
  return Object.fromEntries(responses)
}

const PROBLEM: Content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }

/** Faults and pages that refuse, in one reply where they share a status. */
function failureResponses(row: Row): Record<string, ApiResponse> {
  const faults = faultResponses(faultsOf(row))
  const pages = (row.refusals ?? []).map(({ status, about }): [string, ApiResponse] => {
    const fault = faults[status]
    const description = [about, fault?.description].filter((text) => text !== undefined).join(' ')
    return [String(status), { ...fault, description, content: { ...PAGE, ...fault?.content } }]
  })
  return { ...faults, ...Object.fromEntries(pages) }
}

const PAGE: Content = { 'text/html; charset=utf-8': { schema: { type: 'string' } } }

/** Faults share a reply where they share a status. */
function faultResponses(codes: readonly FaultCode[]): Record<string, ApiResponse> {
  const statuses = [...new Set(codes.map((code) => FAULTS[code].status))].sort((a, b) => a - b)
  const responses = statuses.map((status): [string, ApiResponse] => {
    const told = codes
      .filter((code) => FAULTS[code].status === status)
      .map((code) => `\`${code}\`: ${FAULTS[code].means}.`)
    const headers = headersOf(status)
    return [String(status), { description: told.join(' '), ...(headers && { headers }), content: PROBLEM }]
  })
  return Object.fromEntries(responses)
}

const OTHERWISE: ApiResponse = { description: 'Any other failure.', content: PROBLEM }

function headersOf(status: number): Record<string, object> | undefined {
  if (status === 401) return { 'WWW-Authenticate': { description: '`Bearer`.', schema: { type: 'string' } } }
  if (status !== 429 && status !== 503) return undefined
  return {
    'Retry-After': { description: 'Seconds to wait before asking again.', schema: { type: 'integer', minimum: 1 } }
  }
}
