import type { Connection } from '../../src/contract/connection.ts'
import type { Fetch } from '../../src/ports.ts'

/** The parts of a request that tests check. */
export type Sent = { method: string; path: string; body: unknown }

/** Creates a service with scripted responses by method and path. A series is returned in order, the last one repeatedly. */
export function scriptedService(script: Readonly<Record<string, unknown>>): { fetch: Fetch; sent: Sent[] } {
  const sent: Sent[] = []
  const lists = new Map<string, unknown[]>()
  const fetch: Fetch = async (request) => {
    const { pathname, search } = new URL(request.url)
    const text = await request.text()
    sent.push({
      method: request.method,
      path: `${pathname}${search}`,
      body: text === '' ? undefined : JSON.parse(text)
    })
    const name = [search, search.replace(/[?&]include=names$/, ''), '']
      .map((query) => `${request.method} ${pathname}${query}`)
      .find((one) => one in script)
    if (name === undefined) return problem(404, 'not_found', `nothing is scripted for ${request.method} ${pathname}`)
    const said = script[name]
    if (!isSeries(said)) return said instanceof Response ? said.clone() : Response.json(said)
    const left = lists.get(name) ?? [...said.series]
    lists.set(name, left)
    const next = left.length > 1 ? left.shift() : left[0]
    return next instanceof Response ? next.clone() : Response.json(next)
  }
  return { fetch, sent }
}

/** Creates a series of responses. */
export function series(...answers: readonly unknown[]): { series: readonly unknown[] } {
  return { series: answers }
}

/** Builds an error response of the service. */
export function problem(status: number, code: string, detail: string): Response {
  const body = { type: `/docs#fault-${code}`, title: code, status, detail, code, instance: 'urn:memctl:request:1' }
  return Response.json(body, { status, headers: { 'content-type': 'application/problem+json' } })
}

export const COLLECTION_ID = '0190aaaa-0000-7000-8000-000000000001'
export const CONNECTION_ID = '0190bbbb-0000-7000-8000-000000000002'

/** A new connection of a drive. */
export const CONNECTION: Connection = {
  id: CONNECTION_ID,
  provider: 'cloud_drive',
  external_account_id: 'ada-1',
  status: 'pending',
  collection_id: COLLECTION_ID,
  items_synced: 0,
  last_synced_at: null,
  last_error: null,
  config: {},
  created_at: '2026-05-01T11:00:00.000Z',
  health: null,
  error_detail: null,
  next_sync_at: null
}

/** The connection with selected folders. */
export const ACTIVE: Connection = {
  ...CONNECTION,
  status: 'active',
  config: { folder_ids: ['F1', 'F2'] },
  health: 'ok',
  next_sync_at: '2026-05-01T11:00:00.000Z'
}

function isSeries(said: unknown): said is { series: readonly unknown[] } {
  return typeof said === 'object' && said !== null && 'series' in said
}
