import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Connection } from '../../../src/contract/connection.ts'
import { FAULTS, type FaultCode } from '../../../src/contract/faults.ts'
import { verifySnapshot } from '../../../src/snapshot/verify-snapshot.ts'
import { file, memoryLine, sourceOf } from '../../snapshot/builders.ts'
import { ACTIVE, COLLECTION_ID, CONNECTION_ID } from '../scripted-service.ts'
import { failedItem, runId, schedule, scheduleAfter, syncRun } from '../sync-script.ts'

/** A fake service on a socket, which answers every request of the command line with the same sample data. */
export type SampleService = {
  origin: string
  /** The received requests, with their keys. */
  seen: { method: string; path: string; authorization: string | undefined }[]
  close(): Promise<void>
}

/**
 * `name` makes every text of another user; `rows` is the length of lists; `answers` override the sample data. A string
 * is
 * sent as lines, a Refusal as its fault, a Promise as its value. `onAsked` receives every call.
 */
export type Wishes = { name?: (what: string) => string; rows?: number; answers?: Answers; onAsked?: () => void }

/** An error that the service reports. */
export class Refusal {
  readonly code: FaultCode
  constructor(code: FaultCode) {
    this.code = code
  }
}

export const CHAT_ID = '0190bbbb-0000-7000-8000-000000000003'
export const KEY_ID = '0190dddd-0000-7000-8000-000000000001'

type Asked = { path: string; query: URLSearchParams }

/** Handlers of requests by method and path; `*` matches any one segment of a path. */
export type Answers = Readonly<Record<string, (asked: Asked) => unknown>>

/** Starts the service on a free port of the loopback address. */
export async function startSampleService(wishes: Wishes = {}): Promise<SampleService> {
  const { name = (what) => what, rows = 1 } = wishes
  const seen: SampleService['seen'] = []
  const answers = {
    ...wishes.answers,
    ...own(name, rows),
    ...connectors(name, rows),
    ...syncs(name, rows),
    ...memories(name, rows),
    ...wishes.answers
  }
  const server = createServer((request, response) => {
    seen.push({
      method: request.method ?? '',
      path: request.url ?? '',
      authorization: request.headers.authorization
    })
    wishes.onAsked?.()
    request.resume().once('end', () => void answer({ answers, name }, request, response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
}

type Told = { answers: Answers; name: Name }

async function answer({ answers, name }: Told, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
  const asked = `${request.method} ${pathname}`
  const found = Object.keys(answers).find((row) => fits(row.split(/[ /]/), asked.split(/[ /]/)))
  const body = found && (await answers[found]?.({ path: pathname, query: searchParams }))
  if (body === undefined) return refuse(response, 'not_found', name(asked))
  if (body instanceof Refusal) return refuse(response, body.code, name(body.code))
  const isText = typeof body === 'string'
  const status = CREATES.some((path) => asked === `POST ${path}`) ? 201 : 200
  response.writeHead(status, { 'content-type': isText ? 'application/jsonl' : 'application/json' })
  response.end(isText ? body : JSON.stringify(body))
}

function refuse(response: ServerResponse, code: FaultCode, detail: string): void {
  const { status } = FAULTS[code]
  response.writeHead(status, { 'content-type': 'application/problem+json' })
  response.end(JSON.stringify({ status, code, detail, hint: detail }))
}

function fits(row: readonly string[], asked: readonly string[]): boolean {
  return row.length === asked.length && row.every((part, at) => part === '*' || part === asked[at])
}

const CREATES = ['/v1/collections', '/v1/keys', '/v1/memories', '/v1/device-memory/snapshot/import']

type Name = (what: string) => string

const many = <Value>(rows: number, make: (n: number) => Value): Value[] =>
  Array.from({ length: rows }, (_, n) => make(n))

/** Returns the nth variant of an id, so that the ids of a list differ. */
const nth = (id: string, n: number): string => (n === 0 ? id : `${id.slice(0, -6)}${String(100_000 + n)}`)

const AT = '2026-05-01T11:00:00.000Z'

function own(name: Name, rows: number): Answers {
  const collection = (n: number) => ({
    id: nth(COLLECTION_ID, n),
    name: n === 0 ? 'default' : name('collection'),
    created_at: AT,
    expires_at: null,
    memories: 3
  })
  const hostile = { ...collection(0), name: name('collection') }
  const key = { id: KEY_ID, name: name('key'), grants: [], admin: true, created_at: AT }
  return {
    // The default collection, and others with converted names.
    'GET /v1/collections': () => [collection(0), ...many(rows, (n) => collection(n + 1))],
    'POST /v1/collections': () => hostile,
    'GET /v1/collections/*': () => hostile,
    'DELETE /v1/collections/*': () => ({ message: name('message') }),
    'POST /v1/collections/*/records': () => ({ records: 3, stored: 3, known: 0, forgotten: 0 }),
    'GET /v1/collections/*/changes': () => '{"type":"end","records":0,"seq":0}\n',
    'GET /v1/keys': () => many(rows, (n) => ({ ...key, id: nth(KEY_ID, n) })),
    'POST /v1/keys': () => ({ ...key, key: `mk_${'x'.repeat(43)}` }),
    'DELETE /v1/keys/*': () => ({ message: name('message') }),
    'POST /v1/vault/rotate': () => ({ key_id: name('key id'), resealed: 2 }),
    'GET /healthz': () => ({ status: 'ok' }),
    'GET /readyz': () => ({ status: 'ok' })
  }
}

function connectors(name: Name, rows: number): Answers {
  const drive: Connection = {
    ...ACTIVE,
    external_account_id: name('account'),
    last_error: name('error'),
    items_synced: 5,
    last_synced_at: AT
  }
  const chat: Connection = { ...drive, id: CHAT_ID, provider: 'team_chat', config: { channel_ids: ['C1'] } }
  const folder = (n: number) => ({ id: `F${n}`, name: name('folder'), has_children: n === 1, is_selected: n === 1 })
  const channel = (n: number) => ({ id: `C${n}`, name: name('channel'), is_private: true, num_members: 3 })
  return {
    'GET /v1/connectors/providers': () => ['cloud_drive', 'team_chat', 'mailbox', 'notes'],
    'POST /v1/connectors/*/connect': () => ({ auth_url: name('https://consent.test/'), state: 'a-state' }),
    'GET /v1/connectors/attempts': () => ({ status: 'waiting', connection_id: null, detail: null }),
    'GET /v1/connectors': () => [drive, chat, ...many(rows - 1, (n) => ({ ...drive, id: nth(CONNECTION_ID, n + 1) }))],
    'GET /v1/connectors/*': ({ path }) => (path.endsWith(CHAT_ID) ? chat : drive),
    'GET /v1/connectors/*/folders': ({ query }) =>
      query.has('parent_id') ? [{ ...folder(0), id: 'F9' }] : many(rows, (n) => folder(n + 1)),
    'GET /v1/connectors/*/channels': () => many(rows, (n) => ({ ...channel(n + 1), is_selected: n === 0 })),
    'PATCH /v1/connectors/*/config': () => drive,
    'DELETE /v1/connectors/*': () => ({
      message: name('message'),
      warnings: [{ code: 'left', message: name('warning') }]
    })
  }
}

function syncs(name: Name, rows: number): Answers {
  // A run has ended by the time a client reads it.
  let newest = 1
  const run = (n: number) =>
    syncRun(n, { error: name('error'), outcome: 'partial', reasons: [{ reason: name('reason'), count: 2 }] })
  const item = (n: number) => failedItem(name(`item ${n}`), { title: name('title'), error: name('error') })
  return {
    'POST /v1/connectors/*/sync': () => ({ message: `Sync ${++newest} triggered` }),
    'GET /v1/connectors/*/runs': () => many(rows, (n) => run(newest - n)).filter(({ id }) => id >= runId(0)),
    'GET /v1/connectors/*/runs/*': ({ path }) => ({ ...run(newest), id: path.split('/').at(-1) }),
    'GET /v1/connectors/*/items': ({ query }) => (query.has('after') ? [] : many(rows, item)),
    'POST /v1/connectors/*/items/*/retry': () => item(0),
    'GET /v1/connectors/*/schedule': () => scheduleAfter(run(newest)),
    'POST /v1/connectors/*/pause': () => schedule({ paused: true, state: 'paused', next_sync_at: null }),
    'POST /v1/connectors/*/resume': () => schedule()
  }
}

function memories(name: Name, rows: number): Answers {
  const entry = { id: `mem_${'0'.repeat(32)}`, score: 0.5, source_ids: [`mem_${'0'.repeat(32)}`], confidence: 0.9 }
  const source = {
    ...entry,
    text: name('text'),
    speaker: name('speaker'),
    timestamp: AT,
    title: name('title'),
    url: name('url'),
    metadata: { [name('key')]: name('value') }
  }
  const fact = { subject: name('subject'), predicate: name('predicate'), value: name('value') }
  const snapshot = file(memoryLine({ text: name('text'), speaker: name('speaker') })).toString()
  const end = { type: 'end', records: 1, root_hash: verifySnapshot(sourceOf(snapshot)).rootHash }
  return {
    'POST /v1/memories': () => ({ memory_id: entry.id }),
    'POST /v1/memories/search': () => ({
      semantics: [{ ...entry, ...fact, valid_from: null, valid_to: null, span: null }],
      procedures: [{ ...entry, statement: name('statement'), kind: 'rule', steps: [name('step')] }],
      episodes: [
        { ...entry, summary: name('summary'), started_at: AT, ended_at: null, participants: [name('who')], events: [] }
      ],
      sources: many(rows, () => source)
    }),
    'POST /v1/device-memory/snapshot/export': () => `${snapshot}${JSON.stringify(end)}\n`,
    'POST /v1/device-memory/snapshot/import': () => ({ ephemeral_collection_id: COLLECTION_ID })
  }
}
