import { makeOpenApi } from '../../server/http/openapi/make-open-api.ts'
import { listMembers, type Samples, sampleValue } from '../../server/http/openapi/sample-value.ts'
import type { EndpointRow } from '../../server/http/request/sort-routes.ts'
import { ENDPOINTS, type EndpointName } from '../../src/contract/endpoints/endpoints.ts'
import { type JsonSchema, toJsonSchema } from '../../src/contract/endpoints/json-schema.ts'
import { COLLECTION, ORIGIN } from '../server/http/app-kit.ts'

/** A row with the values that a test needs to call it. */
export type TestedRow = { name: EndpointName; row: EndpointRow }

export const ROWS: readonly TestedRow[] = (Object.keys(ENDPOINTS) as EndpointName[]).map((name) => ({
  name,
  row: ENDPOINTS[name]
}))

export const WITH_KEY = ROWS.filter(({ row }) => row.access !== 'public')
export const WITH_BODY = ROWS.filter(({ row }) => row.body)
export const WITH_JSON = ROWS.filter(({ row }) => row.body?.json)
export const ABOUT_COLLECTIONS = ROWS.filter(({ row }) => row.collections ?? row.connection ?? row.attempt)

/** Rows whose path contains an id of the service. */
export const WITH_IDS = ROWS.filter(({ row }) => idsIn(row) > 0)

export const SAMPLES: Samples = { schemas: makeOpenApi('0').components.schemas, uuid: COLLECTION }

/** The differences of a call from a valid one. */
export type Twist = {
  key?: string
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream
  type?: string
  headers?: Record<string, string>
  /** Replaces the collection, or any other id, of the sample. */
  id?: string
  /** Parameters besides the required ones, such as `odd=1`. */
  search?: string
}

/** The number of ids of the service in the path of a row. */
export function idsIn({ params }: EndpointRow): number {
  return params === undefined ? 0 : JSON.stringify(toJsonSchema(params)).split('"uuid"').length - 1
}

/** Builds a request that is valid except for its twists. */
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

/** Returns the schema of a row's JSON body. */
export function bodySchema(row: EndpointRow): JsonSchema {
  return row.body?.json ? toJsonSchema(row.body.json).schema : {}
}

/** Returns a valid body as a value. */
export function sampleJson(row: EndpointRow): Record<string, unknown> {
  return sampleValue(bodySchema(row), SAMPLES) as Record<string, unknown>
}

/** Returns the required query parameters. A state has the name of the collection of its attempt. */
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
