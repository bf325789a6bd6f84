import { existsSync, readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import type { Fetch } from '../../src/ports.ts'

export type NotionDescription = {
  operations: string[]
  /** Returns the operation of a request. */
  operationOf(request: Request, base: string): string | undefined
  /** Returns deviations of a request and its reply from the description. */
  complaints(request: Request, reply: Response, base: string): Promise<string[]>
}

const FILE = '../shared/fixtures/notion-openapi/notion-openapi.json'

/** OAuth endpoints are not described. */
const UNDESCRIBED = /^\/v1\/oauth\//

type Schema = Record<string, unknown>

const TIME_SORT: Schema = {
  type: 'object',
  required: ['timestamp', 'direction'],
  properties: {
    timestamp: { enum: ['created_time', 'last_edited_time'] },
    direction: { enum: ['ascending', 'descending'] }
  },
  additionalProperties: false
}

type Parameter = { $ref?: string; name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema }
type Content = { content?: { 'application/json'?: { schema?: Schema } } }
type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter>; schemas: Record<string, Schema> }
}
type Found = { operation: Operation; parameters: readonly Parameter[]; path: Readonly<Record<string, string>> }

/** Reads Notion's published description, or returns undefined if the shared fixtures are missing. */
export function notionDescription(): NotionDescription | undefined {
  if (!existsSync(FILE)) return undefined
  const document = JSON.parse(readFileSync(FILE, 'utf8')) as Document
  // The description has only sorts by property:
  // developers.notion.com/reference/sort-data-source-entries#entry-timestamp-sort.
  const { sortObject } = document.components.schemas
  document.components.schemas.sortObject = { anyOf: [sortObject, TIME_SORT] }
  const ajv = new Ajv({ strict: false, allErrors: true, coerceTypes: false, formats: FORMATS })
  const compiled = new Map<Schema, ValidateFunction>()
  const check = (schema: Schema, value: unknown) => {
    const validate = compiled.get(schema) ?? ajv.compile({ ...schema, components: document.components })
    compiled.set(schema, validate)
    return validate(value) ? [] : [ajv.errorsText(validate.errors)]
  }
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  return {
    operations: operations.map(({ operationId }) => operationId).filter((id) => id !== undefined),
    operationOf: (request, base) => find(document, request, base)?.operation.operationId,
    async complaints(request, reply, base) {
      const path = pathOf(request, base)
      if (UNDESCRIBED.test(path)) return []
      const found = find(document, request, base)
      if (found === undefined) return [`${request.method} ${path}: there is no such operation`]
      const texts = [
        ...parameterComplaints(found, request, check),
        ...(await bodyComplaints(found, request, check)),
        ...(await replyComplaints(found, reply, check))
      ]
      return texts.map((text) => `${found.operation.operationId}: ${text}`)
    }
  }
}

/** Wraps a fetch so that deviations from the description are added to `complaints`. */
export function describedNotionFetch(
  fetch: Fetch,
  { description, apiUrl, complaints }: { description: NotionDescription; apiUrl: string; complaints: string[] }
): Fetch {
  return async (request) => {
    const sent = request.clone()
    const reply = await fetch(request)
    complaints.push(...(await description.complaints(sent, reply.clone(), apiUrl)))
    return reply
  }
}

const FORMATS = {
  uuid: /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
  int32: { type: 'number' as const, validate: (value: number) => Number.isInteger(value) && Math.abs(value) < 2 ** 31 }
}

function pathOf(request: Request, base: string): string {
  return new URL(request.url).pathname.slice(new URL(base).pathname.replace(/\/$/, '').length)
}

/** Finds the operation of a request. Of several matching paths, the one with the fewest parameters wins. */
function find({ paths, components }: Document, request: Request, base: string): Found | undefined {
  const path = pathOf(request, base)
  const fitting = Object.entries(paths).flatMap(([template, item]) => {
    const operation = item[request.method.toLowerCase()]
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const match = new RegExp(`^${template.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(path)
    if (operation === undefined || match === null) return []
    const given = Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(match[at + 1] ?? '')]))
    return [{ operation, names, given }]
  })
  const [first] = fitting.sort((a, b) => a.names.length - b.names.length)
  if (first === undefined) return undefined
  const parameters = (first.operation.parameters ?? []).map((parameter) => resolved(parameter, components.parameters))
  return { operation: first.operation, parameters, path: first.given }
}

function resolved(parameter: Parameter, known: Readonly<Record<string, Parameter>>): Parameter {
  const name = parameter.$ref?.split('/').at(-1)
  return (name !== undefined && known[name]) || parameter
}

type Check = (schema: Schema, value: unknown) => string[]

function parameterComplaints({ parameters, path }: Found, request: Request, check: Check): string[] {
  const query = new URL(request.url).searchParams
  const unknown = [...query.keys()].filter((key) => !parameters.some((one) => one.in === 'query' && one.name === key))
  const wrong = parameters.flatMap(({ name, in: where, required, schema }) => {
    const said = where === 'path' ? path[name] : where === 'query' ? query.get(name) : request.headers.get(name)
    if (said === undefined || said === null) return required ? [`${name} is missing`] : []
    return check(schema, typed(said, schema)).map((text) => `${name}: ${text}`)
  })
  return [...unknown.map((key) => `there is no parameter ${key}`), ...wrong]
}

function typed(text: string, { type }: Schema): unknown {
  if (type === 'integer' || type === 'number') return Number(text)
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return type === 'array' ? [text] : text
}

/** Checks a request body. Undescribed members are reported too. */
async function bodyComplaints({ operation }: Found, request: Request, check: Check): Promise<string[]> {
  const text = await request.text()
  const schema = operation.requestBody?.content?.['application/json']?.schema
  if (text === '') return []
  if (schema === undefined) return ['it takes no body']
  const body: unknown = JSON.parse(text)
  const known = Object.keys((schema.properties as Schema | undefined) ?? {})
  const unknown = Object.keys(body as Schema).filter((name) => known.length > 0 && !known.includes(name))
  return [...unknown.map((name) => `there is no member ${name}`), ...check(schema, body)]
}

async function replyComplaints({ operation }: Found, reply: Response, check: Check): Promise<string[]> {
  const described = operation.responses[String(reply.status)]
  // All refusals have the same format, whichever an operation lists.
  const schema = (described ?? operation.responses['400'])?.content?.['application/json']?.schema
  const type = reply.headers.get('content-type') ?? ''
  if (!type.startsWith('application/json')) return [`the reply is ${type}`]
  return schema === undefined ? [] : check(schema, await reply.json())
}
