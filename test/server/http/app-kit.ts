import { Buffer } from 'node:buffer'
import { type App, createApp } from '../../../server/http/create-app.ts'
import type { Call, Handlers } from '../../../server/http/handler.ts'
import type { HandlerReply } from '../../../server/http/reply/answer-reply.ts'
import { HTTP_DEFAULTS, type HttpSettings } from '../../../server/http/request/http-settings.ts'
import type { ServiceHandlers } from '../../../server/http/service-handlers.ts'
import { ENDPOINTS, type EndpointName } from '../../../src/contract/endpoints/endpoints.ts'
import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { DocumentsState } from '../../../src/documents/port/document-reader.ts'
import type { Log } from '../../../src/ports.ts'
import { parseExact } from '../../../src/snapshot/json/json.ts'
import { type FakeStorage, fakeStorage } from './fake-storage.ts'
import { type ManualClock, manualClock, START } from './manual-clock.ts'

export const ORIGIN = 'http://127.0.0.1:8787'

/** The keys of four callers: without grants, with `read` and `edit` on the collection, and an admin. */
export const KEYS = { plain: secret('p'), read: secret('r'), edit: secret('e'), admin: secret('a') }
export const UNKNOWN_KEY = secret('u')

export const COLLECTION = '11111111-1111-7111-8111-111111111111'
export const OTHER_COLLECTION = '22222222-2222-7222-8222-222222222222'

export type LogLine = { level: 'error' | 'info' | 'debug'; fields: Record<string, unknown>; message: string }

/** What the test's handler does for every row. */
export type Does = (call: Call<unknown>, name: EndpointName) => Promise<TestAnswer>

/** A reply of any row. */
export type TestAnswer = Exclude<HandlerReply<unknown>, { json: unknown }> | { status: 200 | 201; json: unknown }

export type TestApp = App & {
  clock: ManualClock
  storage: FakeStorage
  lines: LogLine[]
  /** Calls that reached a handler. */
  calls: { name: EndpointName; call: Call<unknown> }[]
}

/** Creates an app over a storage in memory, whose handlers record their calls. */
export function testApp({
  settings = {},
  does = echo
}: {
  settings?: Partial<HttpSettings>
  does?: Does
} = {}): TestApp {
  const clock = manualClock()
  const storage = fakeStorage()
  const lines: LogLine[] = []
  const calls: TestApp['calls'] = []
  let random = 0
  addCallers(storage)
  const app = createApp({
    handlers: handlersThat(async (call, name) => {
      calls.push({ name, call })
      return does(call, name)
    }),
    storage,
    connections: connectorsIn(storage),
    sync: {
      state: () => ({ running: 1, runs: { succeeded: 2, failed: 3 }, items: 40, memories: 50, documents: DOCUMENTS })
    },
    scrub: { state: () => SCRUBBED },
    engine: { readBody: readWithSnapshot, state: () => ({ threads: 2, waiting: 0, indexes: 1, indexBytes: 4096 }) },
    world: {
      clock,
      ids: { randomHex: (bytes) => (++random).toString(16).padStart(bytes * 2, '0') },
      log: logInto(lines)
    },
    settings: { ...HTTP_DEFAULTS, loopback: true, publicUrl: ORIGIN, version: '1.2.3', ...settings }
  })
  return { ...app, clock, storage, lines, calls }
}

/** The state of the background check that the app reports. */
const SCRUBBED = { lines: 60, rows: 70, found: 1, workedMs: 1500, endedAt: toEpochMs(START), damage: 2 }

/** Builds a request of a caller. */
export function ask(path: string, init: RequestInit & { key?: string; json?: unknown } = {}): Request {
  const { key, json, ...more } = init
  const headers = new Headers(more.headers)
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
  if (json !== undefined) headers.set('content-type', 'application/json')
  const body = json === undefined ? more.body : JSON.stringify(json)
  const method = more.method ?? (body === undefined ? 'GET' : 'POST')
  return new Request(`${ORIGIN}${path}`, {
    ...more,
    method,
    headers,
    ...(body === undefined ? {} : { body, duplex: 'half' })
  })
}

/** Names each connection and attempt like its collection. */
function connectorsIn(storage: FakeStorage) {
  const ownerOf = async (id: string): Promise<string | undefined> => (await storage.listCollections([id]))[0]?.id
  return { collectionOfConnection: ownerOf, collectionOfAttempt: ownerOf }
}

function secret(letter: string): string {
  return `mk_${letter.repeat(43)}`
}

function addCallers(storage: FakeStorage): void {
  storage.addCollection({ id: COLLECTION })
  storage.addCollection({ id: OTHER_COLLECTION })
  storage.addKey({ secret: KEYS.plain, name: 'plain' })
  storage.addKey({ secret: KEYS.read, name: 'read', grants: [{ collectionId: COLLECTION, permission: 'read' }] })
  storage.addKey({ secret: KEYS.edit, name: 'edit', grants: [{ collectionId: COLLECTION, permission: 'edit' }] })
  storage.addKey({ secret: KEYS.admin, name: 'admin', admin: true })
}

const echo: Does = async (_call, name) => ({ status: ENDPOINTS[name].replies[0].status, json: { name } })

/** Creates one handler for all rows, which gets the row's name. */
function handlersThat(does: Does): Omit<Handlers, keyof ServiceHandlers> {
  const names = Object.keys(ENDPOINTS) as EndpointName[]
  const entries = names.map((name) => [name, (call: Call<unknown>) => does(call, name)])
  // Works for every type of handler; only the tests inspect its replies.
  return Object.fromEntries(entries) as Handlers
}

/** Reads a body like the engine, but without threads: it serializes the value again to find the snapshot. */
async function readWithSnapshot(bytes: Uint8Array) {
  const parsed = parseExact(Buffer.from(bytes))
  if ('fault' in parsed) throw new Fault('malformed_json', `The body ${parsed.fault}`)
  const value = parsed.value as { snapshot?: { records?: unknown } } | null
  if (typeof value !== 'object' || value === null || typeof value.snapshot !== 'object' || value.snapshot === null) {
    return { value, snapshot: undefined }
  }
  const whole = new Uint8Array(Buffer.from(JSON.stringify(value.snapshot)))
  const { records: _, ...header } = value.snapshot
  const snapshot = { bytes: whole, from: 0, to: whole.length, form: 'json' as const }
  return { value: { ...value, snapshot: header }, snapshot }
}

function logInto(lines: LogLine[]): Log {
  const write = (level: LogLine['level']) => (fields: Readonly<Record<string, unknown>>, message: string) =>
    void lines.push({ level, fields, message })
  return { error: write('error'), info: write('info'), debug: write('debug') }
}

const DOCUMENTS: DocumentsState = {
  ...{ started: 2, reading: 1, waiting: 6 },
  ended: { memory: 7, time: 8, called_off: 9, error: 10 }
}
