import { makeOpenApi } from '../../server/http/openapi/make-open-api.ts'
import { membersOf, type Samples, sampleValue } from '../../server/http/openapi/sample-value.ts'
import type { Row } from '../../server/http/serve-row.ts'
import { ENDPOINTS, type EndpointName } from '../../src/contract/endpoints.ts'
import { type JsonSchema, jsonSchemaOf } from '../../src/contract/json-schema.ts'
import { COLLECTION, ORIGIN } from '../server/http/app-kit.ts'

/** A row with what a test needs to call it. */
export type TestedRow = { name: EndpointName; row: Row }

export const ROWS: readonly TestedRow[] = (Object.keys(ENDPOINTS) as EndpointName[]).map((name) => ({
  name,
  row: ENDPOINTS[name]
}))

export const WITH_KEY = ROWS.filter(({ row }) => row.access !== 'public')
export const WITH_BODY = ROWS.filter(({ row }) => row.body)
export const WITH_JSON = ROWS.filter(({ row }) => row.body?.json)
export const ABOUT_COLLECTIONS = ROWS.filter(({ row }) => row.collections)

export const SAMPLES: Samples = { schemas: makeOpenApi('0').components.schemas, uuid: COLLECTION }

/** What a call differs in from one that is right. */
export type Twist = {
  key?: string
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream
  type?: string
  headers?: Record<string, string>
  /** In place of the collection, or of any other id, that the sample names. */
  id?: string
  search?: string
}

/** A request that fits its row in everything but its twists. */
export function callOf({ row }: TestedRow, { key, id, search = '', ...twist }: Twist = {}): Request {
  const samples = id === undefined ? SAMPLES : { ...SAMPLES, uuid: id }
  const headers = new Headers(twist.headers)
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
  const body = twist.body ?? (row.body && sampleBody(row, samples))
  if (body !== undefined)
    headers.set('content-type', twist.type ?? (row.body?.json ? 'application/json' : 'application/jsonl'))
  const members = row.params ? membersOf(jsonSchemaOf(row.params).schema, samples) : {}
  const path = row.path.replaceAll(/\{([^}]*)\}/g, (_, name) => String(sampleValue(members[name] ?? {}, samples)))
  return new Request(`${ORIGIN}${path}${search}`, {
    method: row.method,
    headers,
    ...(body === undefined ? {} : { body, duplex: 'half' })
  })
}

/** The schema of a row's JSON body. */
export function bodySchema(row: Row): JsonSchema {
  return row.body?.json ? jsonSchemaOf(row.body.json).schema : {}
}

/** A right body as a value. */
export function sampleJson(row: Row): Record<string, unknown> {
  return sampleValue(bodySchema(row), SAMPLES) as Record<string, unknown>
}

function sampleBody(row: Row, samples: Samples): string {
  return row.body?.json ? JSON.stringify(sampleValue(bodySchema(row), samples)) : '{"line":1}\n'
}
