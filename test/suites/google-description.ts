import { existsSync, readFileSync } from 'node:fs'
import type { Fetch } from '../../src/ports.ts'
import { maskComplaints } from './google-mask.ts'

/** The used parts of a discovery document (https://developers.google.com/discovery/v1/reference/apis). */
export type Schema = {
  type?: string
  $ref?: string
  format?: string
  enum?: string[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema
  items?: Schema
  required?: boolean
  location?: string
  minimum?: string
  maximum?: string
  repeated?: boolean
}

type Method = {
  id: string
  path: string
  httpMethod: string
  parameters?: Record<string, Schema>
  request?: { $ref: string }
  response?: { $ref: string }
}

type Resource = { methods?: Record<string, Method>; resources?: Record<string, Resource> }

type Discovery = Resource & { servicePath: string; parameters: Record<string, Schema>; schemas: Record<string, Schema> }

export type GoogleDescription = {
  /** Ids of all operations, such as `drive.files.list`. */
  operations: string[]
  /** Returns the operation of a request, or undefined if the description has none. */
  operationOf(method: string, path: string): string | undefined
  /** Returns deviations of a request and its reply from the description. `path` is relative to the base URL. */
  complaints(request: Request, reply: Response, path: string): Promise<string[]>
}

/** Reads a published description from the shared fixtures, or returns undefined if they are missing. */
export function googleDescription(file: 'drive.v3.json' | 'gmail.v1.json'): GoogleDescription | undefined {
  const path = `../shared/fixtures/google-discovery/${file}`
  if (!existsSync(path)) return undefined
  const document: Discovery = JSON.parse(readFileSync(path, 'utf8'))
  const methods = methodsOf(document)
  const find = (verb: string, path: string) =>
    methods.find(({ httpMethod, pattern }) => httpMethod === verb && pattern.test(path))
  return {
    operations: methods.map(({ id }) => id),
    operationOf: (verb, path) => find(verb, path)?.id,
    async complaints(request, reply, path) {
      const method = find(request.method, path)
      if (method === undefined) return [`${request.method} ${path}: no such operation`]
      const found = [
        ...queryComplaints(document, method, request),
        ...(await bodyComplaints(document, method, request))
      ]
      return [...found, ...(await replyComplaints(document, method, { request, reply }))].map(
        (text) => `${method.id}: ${text}`
      )
    }
  }
}

/** Wraps a fetch so that deviations from a description are added to `complaints`. */
export function describedFetch(
  fetch: Fetch,
  { description, apiUrl, complaints }: { description: GoogleDescription; apiUrl: string; complaints: string[] }
): Fetch {
  return async (request) => {
    const sent = request.clone()
    const reply = await fetch(request)
    const copy = reply.clone()
    complaints.push(...(await description.complaints(sent, copy, sent.url.slice(apiUrl.length).replace(/\?.*/s, ''))))
    return reply
  }
}

type Found = Method & { pattern: RegExp }

function methodsOf(document: Discovery, resource: Resource = document): Found[] {
  const own = Object.values(resource.methods ?? {}).map((method) => {
    const path = `/${document.servicePath}${method.path}`
    const source = path.replace(/\{(\+?)[^}]+\}|[.*+?^$()|[\]\\]/g, (part, more) =>
      part.startsWith('{') ? (more ? '.+' : '[^/]+') : `\\${part}`
    )
    return { ...method, pattern: new RegExp(`^${source}$`) }
  })
  return [...own, ...Object.values(resource.resources ?? {}).flatMap((inner) => methodsOf(document, inner))]
}

function queryComplaints(document: Discovery, { parameters = {}, response }: Method, { url }: Request): string[] {
  const query = new URL(url).searchParams
  const missing = Object.entries(parameters)
    .filter(([name, { required, location }]) => required && location === 'query' && !query.has(name))
    .map(([name]) => `parameter ${name} is missing`)
  const wrong = [...query].flatMap(([name, value]) => {
    const schema = (parameters[name]?.location === 'query' ? parameters[name] : undefined) ?? document.parameters[name]
    return schema === undefined ? [`no parameter ${name}`] : textComplaints(schema, value, `parameter ${name}`)
  })
  const mask = query.get('fields')
  const masked = mask === null ? [] : maskComplaints(document.schemas, response?.$ref, mask)
  return [...missing, ...wrong, ...masked]
}

/** Checks a query parameter, which is text. */
function textComplaints({ type, enum: allowed, minimum, maximum }: Schema, text: string, where: string): string[] {
  if (allowed !== undefined && !allowed.includes(text)) return [`${where}: ${text} is none of ${allowed.join(', ')}`]
  if (type === 'boolean' && !/^(true|false)$/.test(text)) return [`${where}: ${text} is no boolean`]
  if (type !== 'integer') return []
  const isInside = Number(text) >= Number(minimum ?? -Infinity) && Number(text) <= Number(maximum ?? Infinity)
  return /^-?\d+$/.test(text) && isInside ? [] : [`${where}: ${text} is no such integer`]
}

async function bodyComplaints(document: Discovery, { request: described }: Method, request: Request) {
  const text = await request.clone().text()
  if (text === '') return []
  if (described === undefined) return ['it takes no body']
  return valueComplaints(document.schemas, { $ref: described.$ref }, { value: JSON.parse(text), where: 'body' })
}

async function replyComplaints(
  document: Discovery,
  { response }: Method,
  { request, reply }: { request: Request; reply: Response }
): Promise<string[]> {
  const isMedia = new URL(request.url).searchParams.get('alt') === 'media'
  if (reply.ok && (isMedia || response === undefined)) return []
  const value: unknown = await reply.json().catch(() => undefined)
  if (!reply.ok) return isGoogleError(value, reply.status) ? [] : [`a ${reply.status} without Google's error object`]
  return valueComplaints(document.schemas, { $ref: response?.$ref ?? '' }, { value, where: 'reply' })
}

/**
 * Reports whether a value is an error as in https://developers.google.com/workspace/drive/api/guides/handle-errors:
 * code, message and errors with reasons.
 */
function isGoogleError(value: unknown, status: number): boolean {
  const { error } = (value ?? {}) as { error?: { code?: unknown; message?: unknown; errors?: unknown } }
  if (error?.code !== status || typeof error.message !== 'string' || !Array.isArray(error.errors)) return false
  return error.errors.every(({ domain, reason, message }) =>
    [domain, reason, message].every((v) => typeof v === 'string')
  )
}

/** Checks a value. Undescribed members are reported too, because a sandbox provider must not invent any. */
function valueComplaints(
  schemas: Record<string, Schema>,
  schema: Schema,
  { value, where }: { value: unknown; where: string }
): string[] {
  if (schema.$ref !== undefined)
    return valueComplaints(schemas, schemas[schema.$ref] ?? { type: 'no such schema' }, { value, where })
  if (schema.type === 'array') {
    if (!Array.isArray(value)) return [`${where} is no array`]
    return value.flatMap((item, i) =>
      valueComplaints(schemas, schema.items ?? {}, { value: item, where: `${where}[${i}]` })
    )
  }
  if (schema.type === 'object') return objectComplaints(schemas, schema, { value, where })
  return fits(schema, value) ? [] : [`${where} is no ${schema.type} ${schema.format ?? ''}: ${JSON.stringify(value)}`]
}

function objectComplaints(
  schemas: Record<string, Schema>,
  { properties = {}, additionalProperties }: Schema,
  { value, where }: { value: unknown; where: string }
): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${where} is no object`]
  return Object.entries(value).flatMap(([name, member]) => {
    const schema = properties[name] ?? additionalProperties
    if (schema === undefined) return [`${where}.${name} is not described`]
    return valueComplaints(schemas, schema, { value: member, where: `${where}.${name}` })
  })
}

function fits({ type, format, enum: allowed }: Schema, value: unknown): boolean {
  if (type === 'any') return true
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type !== 'string') return typeof value === type
  if (typeof value !== 'string' || (allowed !== undefined && !allowed.includes(value))) return false
  if (format === 'int64' || format === 'uint64') return /^-?\d{1,20}$/.test(value)
  if (format === 'date-time') return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)
  return format !== 'byte' || /^[A-Za-z0-9_-]*={0,2}$/.test(value)
}
