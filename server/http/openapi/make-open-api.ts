import { type Access, type Body, type Endpoint, listFaults } from '../../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../../src/contract/endpoints/endpoints.ts'
import { type JsonSchema, toJsonSchema } from '../../../src/contract/endpoints/json-schema.ts'
import { FAULTS, type FaultCode } from '../../../src/contract/faults.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { toProblemCode } from '../../../src/contract/problem-code.ts'
import { describeProblem } from '../reply/describe-problem.ts'
import type { EndpointRow } from '../request/sort-routes.ts'
import type { ApiResponse, Content, OpenApi, OpenApiTag, Operation, Parameter, PathItem } from './open-api.ts'

/** Builds the OpenAPI 3.1 document of the contract, only from its rows. */
export function makeOpenApi(version: string, rows: Readonly<Record<string, EndpointRow>> = ENDPOINTS): OpenApi {
  const schemas: Record<string, JsonSchema> = {}
  const toSchema = (schema: Parameters<typeof toJsonSchema>[0]): JsonSchema => {
    const made = toJsonSchema(schema)
    Object.assign(schemas, made.named)
    return made.schema
  }
  schemas.Problem = problemSchema(toSchema, Object.values(rows))
  const paths: Record<string, PathItem> = {}
  for (const [name, row] of Object.entries(rows)) {
    paths[row.path] = { ...paths[row.path], [toMethod(row)]: makeOperation(name, row, toSchema) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'memctl',
      version,
      summary: 'Store, search and export memories.',
      description: ABOUT,
      license: { name: 'MIT', identifier: 'MIT' }
    },
    servers: [{ url: '/', description: 'This server.' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: TAGS,
    paths,
    components: { schemas: sortByName(schemas), securitySchemes: SECURITY_SCHEMES }
  }
}

const ABOUT = `Bodies and replies are JSON in UTF-8. Every error reply is a problem details object (RFC 9457) with a stable \`code\`. \
Send the API key as \`Authorization: Bearer mk_…\` or as \`X-API-Key: mk_…\`. Every reply has an \`X-Request-Id\`, which is \
that of the request if it has one. Rate limited endpoints report the limit in \`RateLimit\`, and \`Retry-After\` gives the \
number of seconds to wait.`

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key, as `Authorization: Bearer mk_…`.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same API key, in a header of its own.' }
}

/** The faults that any request can receive, whatever its row. */
const ANYWHERE: readonly FaultCode[] = ['not_found', 'method_not_allowed', 'forbidden', 'internal', 'unavailable']

/** Builds the schema of problems with the codes of replies. The table of faults also has codes of the command line. */
function problemSchema(schemaOf: SchemaOf, rows: readonly EndpointRow[]): JsonSchema {
  const { properties, ...problem } = schemaOf(Problem)
  const codes = [...new Set([...rows.flatMap(listFaults), ...ANYWHERE])].map(toProblemCode).sort()
  const { code, ...members } = properties as Record<string, JsonSchema>
  return { ...problem, properties: { ...members, code: { ...code, enum: codes } } }
}

function toMethod({ method }: Endpoint): string {
  return method.toLowerCase()
}

/** Sorts schemas by name, so that the order of rows has no effect. */
function sortByName(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
}

type Schema = Parameters<typeof toJsonSchema>[0]

/** Registers a schema and returns a reference to it. */
type SchemaOf = (schema: Schema) => JsonSchema

/** Builds the operation of one row. */
function makeOperation(name: string, row: EndpointRow, schemaOf: SchemaOf): Operation {
  const parameters = [...listParameters(row.params, 'path', schemaOf), ...listParameters(row.query, 'query', schemaOf)]
  return {
    operationId: name,
    summary: row.summary,
    description: [row.about, whoMay(row)].filter((text) => text !== undefined).join('\n\n'),
    tags: [findTag(row.path)],
    security: row.access === 'public' ? [] : [{ bearer: [] }, { apiKey: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(row.body && { requestBody: { required: !row.body.optional, content: bodyContent(row.body, schemaOf) } }),
    responses: { ...replyResponses(row, schemaOf), ...failureResponses(row, schemaOf), default: OTHERWISE },
    'x-access': row.access,
    'x-faults': listFaults(row).map(toProblemCode)
  }
}

function whoMay(row: EndpointRow): string {
  if (row.connection) return `Requires a key with \`${row.access}\` permission for the collection of the connection.`
  if (row.attempt) return `Requires a key with \`${row.access}\` permission for the collection of the attempt.`
  return WHO_MAY[row.access]
}

const WHO_MAY: Readonly<Record<Access, string>> = {
  public: 'Requires no key.',
  authenticated: 'Accepts any valid key.',
  read: 'Requires a key with `read` permission for the collections in the request. Without collections, any valid key is accepted.',
  edit: 'Requires a key with `edit` permission for the collection in the request. Without a collection, any valid key is accepted.',
  admin: 'Requires an admin key.'
}

function listParameters(schema: Schema | undefined, place: 'path' | 'query', schemaOf: SchemaOf): Parameter[] {
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

const LINES: JsonSchema = { type: 'string', description: 'The lines of a snapshot: JSON objects, each ended by LF.' }

const EVENTS: JsonSchema = { type: 'string', description: 'Server-sent events, each with JSON as its data.' }

function bodyContent({ json, form, lines }: Body, schemaOf: SchemaOf): Content {
  return {
    ...(json && { 'application/json': { schema: schemaOf(json) } }),
    ...(form && { 'application/x-www-form-urlencoded': { schema: schemaOf(form) } }),
    ...(lines && { 'application/jsonl': { schema: LINES } })
  }
}

function replyResponses({ replies }: Endpoint, schemaOf: SchemaOf): Record<string, ApiResponse> {
  const responses = replies.map(({ status, about, json, text, lines, events }): [string, ApiResponse] => {
    const content = {
      ...(json && { 'application/json': { schema: schemaOf(json) } }),
      ...(lines && { 'application/jsonl': { schema: LINES } }),
      ...(events && { 'text/event-stream': { schema: EVENTS } }),
      ...(text !== undefined && { [text]: { schema: { type: 'string' } } })
    }
    return [String(status), { description: about, content }]
  })
  return Object.fromEntries(responses)
}

const PROBLEM: Content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }

/** Merges faults and refusals that share a status into one response. */
function failureResponses(row: EndpointRow, schemaOf: SchemaOf): Record<string, ApiResponse> {
  const faults = faultResponses(listFaults(row))
  const refusals = (row.refusals ?? []).map(({ status, about, json }): [string, ApiResponse] => {
    const fault = faults[status]
    const content = json === undefined ? PAGE : { 'application/json': { schema: schemaOf(json) } }
    const description = [about, fault?.description].filter((text) => text !== undefined).join(' ')
    return [String(status), { ...fault, description, content: { ...content, ...fault?.content } }]
  })
  return { ...faults, ...Object.fromEntries(refusals) }
}

const PAGE: Content = { 'text/html; charset=utf-8': { schema: { type: 'string' } } }

/** Merges faults that share a status into one response. */
function faultResponses(codes: readonly FaultCode[]): Record<string, ApiResponse> {
  const statuses = [...new Set(codes.map((code) => FAULTS[code].status))].sort((a, b) => a - b)
  const responses = statuses.map((status): [string, ApiResponse] => {
    const told = codes
      .filter((code) => FAULTS[code].status === status)
      .map(describeProblem)
      .map(({ code, condition }) => `\`${code}\`: ${condition}`)
    const headers = chooseHeaders(status)
    return [String(status), { description: told.join(' '), ...(headers && { headers }), content: PROBLEM }]
  })
  return Object.fromEntries(responses)
}

const OTHERWISE: ApiResponse = { description: 'Any other error.', content: PROBLEM }

function chooseHeaders(status: number): Record<string, object> | undefined {
  if (status === 401) return { 'WWW-Authenticate': { description: '`Bearer`.', schema: { type: 'string' } } }
  if (status !== 429 && status !== 503) return undefined
  return {
    'Retry-After': {
      description: 'The number of seconds to wait before the next request.',
      schema: { type: 'integer', minimum: 1 }
    }
  }
}

/** The groups of endpoints, in the order in which they are shown. */
const TAGS = [
  { name: 'memories', description: 'Store and search memories, in collections or in a snapshot in the request.' },
  {
    name: 'device-memory',
    description: 'Export a collection as a snapshot, and import a snapshot for debugging.'
  },
  { name: 'collections', description: 'Sets of memories with their own permissions.' },
  { name: 'mcp', description: 'The memories of a collection for assistants.' },
  { name: 'connectors', description: 'Accounts at providers that are connected to a collection.' },
  { name: 'oauth', description: 'The address to which a provider redirects after a consent.' },
  { name: 'keys', description: 'API keys and their permissions.' },
  { name: 'vault', description: 'The encryption of stored credentials.' },
  { name: 'service', description: 'The state of the server, and this contract.' }
] as const satisfies readonly OpenApiTag[]

/** Returns the group of a path: the first segment, or the one after the version. */
function findTag(path: string): string {
  return (
    /^\/(?:v1\/([^/]+)|(mcp)\/)/
      .exec(path)
      ?.slice(1)
      .find((name) => name !== undefined) ?? 'service'
  )
}
