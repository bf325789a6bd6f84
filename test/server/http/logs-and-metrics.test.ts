import { expect, test } from 'vitest'
import { Fault } from '../../../src/contract/faults.ts'
import { ask, COLLECTION, KEYS, testApp, UNKNOWN_KEY } from './app-kit.ts'
import { START } from './manual-clock.ts'

test('logs each request once, with its row and without secrets', async () => {
  const app = testApp()
  await app.fetch(ask(`/v1/collections/${COLLECTION}?token=hidden`, { key: KEYS.read }), { address: '203.0.113.9' })
  await app.fetch(ask('/v1/keys', { key: UNKNOWN_KEY }))
  await app.fetch(ask('/v1/secret-path?key=hidden', { headers: { 'x-api-key': KEYS.admin } }))
  expect(app.lines.map(({ level, message, fields }) => [level, message, fields.route, fields.status])).toEqual([
    ['info', 'request', '/v1/collections/{collection_id}', 422],
    ['info', 'request', '/v1/keys', 401],
    ['info', 'request', null, 404]
  ])
  expect(app.lines[0]?.fields).toMatchObject({ method: 'GET', keyId: expect.any(String), ms: expect.any(Number) })
  expect(JSON.stringify(app.lines)).not.toMatch(/hidden|mk_|secret/)
})

test('adopts a plain request id', async () => {
  const app = testApp()
  const idFor = async (given: string): Promise<string | null> =>
    (await app.fetch(ask('/healthz', { headers: { 'x-request-id': given } }))).headers.get('x-request-id')
  expect(await idFor('abc-123.DEF_456')).toBe('abc-123.DEF_456')
  for (const odd of ['short', 'has spaces in it', '<script>alert(1)</script>', 'x'.repeat(101), 'a"b"c"d"e"f']) {
    expect(await idFor(odd)).toMatch(/^[0-9a-f]{32}$/)
  }
})

test('reports an outage with its cause to the admin', async () => {
  const app = testApp()
  app.storage.failure = new Fault('unavailable', 'the disk is full', { cause: new Error('SQLITE_FULL') })
  const reply = await app.fetch(ask('/v1/collections', { key: KEYS.read }))
  expect(await reply.json()).toMatchObject({ status: 503, detail: 'the disk is full' })
  expect(app.lines[0]).toMatchObject({
    level: 'error',
    message: 'request could not be served',
    fields: { reason: 'the disk is full', err: { message: 'SQLITE_FULL' } }
  })
})

test('replies to an internal error without details, and logs it', async () => {
  const app = testApp({
    does: async () => {
      throw new TypeError('the password is hunter2')
    }
  })
  const reply = await app.fetch(ask('/v1/collections', { key: KEYS.read }))
  const text = await reply.text()
  expect([reply.status, JSON.parse(text)]).toMatchObject([500, { code: 'internal', status: 500 }])
  expect(text).not.toContain('hunter2')
  expect(app.lines[0]).toMatchObject({ level: 'error', fields: { requestId: reply.headers.get('x-request-id') } })
})

test('counts replies and their durations by route in the metrics', async () => {
  const app = testApp({
    does: async () => {
      await app.clock.pass(30)
      return { status: 200, json: [] }
    }
  })
  await app.fetch(ask('/v1/collections', { key: KEYS.read }))
  await app.fetch(ask('/v1/collections', { key: KEYS.read }))
  await app.fetch(ask('/v1/nowhere-1'))
  await app.fetch(ask('/v1/nowhere-2', { method: 'BREW' }))
  const text = await (await app.fetch(ask('/metrics'))).text()
  const lines = text.split('\n')
  expect(lines).toContain('memctl_http_requests_total{route="/v1/collections",method="GET",status="200"} 2')
  expect(lines).toContain('memctl_http_requests_total{route="none",method="GET",status="404"} 1')
  expect(lines).toContain('memctl_http_requests_total{route="none",method="other",status="404"} 1')
  const name = 'memctl_http_request_duration_seconds'
  const labels = 'route="/v1/collections",method="GET"'
  expect(lines).toContain(`${name}_bucket{${labels},le="0.025"} 0`)
  expect(lines).toContain(`${name}_bucket{${labels},le="0.05"} 2`)
  expect(lines).toContain(`${name}_bucket{${labels},le="+Inf"} 2`)
  expect(lines).toContain(`${name}_count{${labels}} 2`)
  expect(lines).toContain('memctl_engine_index_bytes 4096')
  expect(text.endsWith('\n')).toBe(true)
  expect(text).not.toContain(COLLECTION)
})

test('reports synced items and outcomes of syncs in the metrics', async () => {
  const lines = (await (await testApp().fetch(ask('/metrics'))).text()).split('\n')
  for (const line of [
    '# TYPE memctl_sync_running gauge',
    'memctl_sync_running 1',
    '# TYPE memctl_sync_runs_total counter',
    'memctl_sync_runs_total{outcome="succeeded"} 2',
    'memctl_sync_runs_total{outcome="failed"} 3',
    'memctl_sync_items_total 40',
    'memctl_sync_memories_total 50',
    'memctl_document_processes 2',
    'memctl_documents_reading 1',
    'memctl_documents_waiting 6',
    'memctl_document_processes_ended_total{why="memory"} 7'
  ])
    expect(lines).toContain(line)
})

test('reports the progress and findings of the background check in the metrics', async () => {
  const lines = (await (await testApp().fetch(ask('/metrics'))).text()).split('\n')
  for (const line of [
    '# TYPE memctl_scrub_damage gauge',
    'memctl_scrub_damage 2',
    `memctl_scrub_last_pass_timestamp_seconds ${START / 1000}`,
    '# TYPE memctl_scrub_lines_total counter',
    'memctl_scrub_lines_total 60',
    'memctl_scrub_rows_total 70',
    'memctl_scrub_found_total 1',
    'memctl_scrub_seconds_total 1.5'
  ])
    expect(lines).toContain(line)
})

test('waits two seconds for the storage in readiness, once for all callers', async () => {
  const app = testApp()
  let pings = 0
  app.storage.ping = () => {
    pings++
    return new Promise(() => undefined)
  }
  const asked = [app.fetch(ask('/readyz')), app.fetch(ask('/readyz'))]
  while (app.clock.waiting() === 0) await Promise.resolve()
  await app.clock.pass(2000)
  for (const reply of asked) expect((await reply).status).toBe(503)
  expect(pings).toBe(1)
  app.storage.ping = async () => undefined
  expect((await app.fetch(ask('/readyz'))).status).toBe(200)
})

test('answers HEAD like GET, without the body', async () => {
  const app = testApp()
  const get = await app.fetch(ask('/openapi.json'))
  const head = await app.fetch(ask('/openapi.json', { method: 'HEAD' }))
  expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
  expect([head.status, await head.text()]).toEqual([200, ''])
})
