import { makeOpenApi } from '../../server/http/openapi/make-open-api.ts'
import { listMembers, type Samples, sampleValue } from '../../server/http/openapi/sample-value.ts'
import type { EndpointRow } from '../../server/http/request/sort-routes.ts'
import { ENDPOINTS, type EndpointName } from '../../src/contract/endpoints/endpoints.ts'
import { type JsonSchema, toJsonSchema } from '../../src/contract/endpoints/json-schema.ts'
import { COLLECTION, ORIGIN } from '../server/http/app-kit.ts'

/** A row with what a test needs to call it. */
export type TestedRow = { name: EndpointName; row: EndpointRow }

export const ROWS: readonly TestedRow[] = (Object.keys(ENDPOINTS) as EndpointName[]).map((name) => ({
  name,
  row: ENDPOINTS[name]
}))

export const WITH_KEY = ROWS.filter(({ row }) => row.access !== 'public')
export const WITH_BODY = ROWS.filter(({ row }) => row.body)
export const WITH_JSON = ROWS.filter(({ row }) => row.body?.json)
export const ABOUT_COLLECTIONS = ROWS.filter(({ row }) => row.collections ?? row.connection ?? row.attempt)

/** Rows with an id of the service's own in their path. */
export const WITH_IDS = ROWS.filter(({ row }) => idsIn(row) > 0)

export const SAMPLES: Samples = { schemas: makeOpenApi('0').components.schemas, uuid: COLLECTION }

/** What a call differs in from one that is right. */
export type Twist = {
  key?: string
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream
  type?: string
  headers?: Record<string, string>
  /** In place of the collection, or of any other id, that the sample names. */
  id?: string
  /** Parameters beside those that have to be there, as in `odd=1`. */
  search?: string
}

/** How many ids of the service's own the path of a row has. */
export function idsIn({ params }: EndpointRow): number {
  return params === undefined ? 0 : JSON.stringify(toJsonSchema(params)).split('"uuid"').length - 1
}

/** A request that fits its row in everything but its twists. */
export function callOf({ row }: TestedRow, { key, id, search = '', ...twist }: Twist = {}): Request {
  const samples = id === undefined ? SAMPLES : { ...SAMPLES, uuid: id }
  const headers = new Headers(twist.headers)
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
  const body = twist.body ?? (row.body && sampleBody(row, samples))
  if (body !== undefined) headers.set('content-type', twist.type ?? bodyType(row))
  const members = row.params ? listMembers(toJsonSchema(row.params).schema, samples) : {}
  const query = row.query ? requiredQuery(row, samples) : ''
  const path = row.path.replaceAll(/\{([^}]*)\}/g, (_, name) => String(sampleValue(members[name] ?? {}, samples)))
  return new Request(`${ORIGIN}${path}?${[query, search].filter((part) => part !== '').join('&')}`, {
    method: row.method,
    headers,
    ...(body === undefined ? {} : { body, duplex: 'half' })
  })
}

/** The schema of a row's JSON body. */
export function bodySchema(row: EndpointRow): JsonSchema {
  return row.body?.json ? toJsonSchema(row.body.json).schema : {}
}

/** A right body as a value. */
export function sampleJson(row: EndpointRow): Record<string, unknown> {
  return sampleValue(bodySchema(row), SAMPLES) as Record<string, unknown>
}

/** Parameters of the query that have to be there. A state is called like the collection of its attempt. */
function requiredQuery(row: EndpointRow, samples: Samples): string {
  const schema = row.query ? toJsonSchema(row.query).schema : {}
  const names = (schema.required ?? []) as string[]
  const members = listMembers(schema, samples)
  const sampleOf = (name: string): unknown => (row.attempt ? samples.uuid : sampleValue(members[name] ?? {}, samples))
  return String(new URLSearchParams(names.map((name): [string, string] => [name, String(sampleOf(name))])))
}

function bodyType({ body }: EndpointRow): string {
  if (body?.form) return 'application/x-www-form-urlencoded'
  return body?.json ? 'application/json' : 'application/jsonl'
}

function sampleBody(row: EndpointRow, samples: Samples): string {
  if (row.body?.form) {
    const fields = sampleValue(toJsonSchema(row.body.form).schema, samples) as Record<string, string>
    return String(new URLSearchParams(fields))
  }
  return row.body?.json ? JSON.stringify(sampleValue(bodySchema(row), samples)) : '{"line":1}\n'
}
