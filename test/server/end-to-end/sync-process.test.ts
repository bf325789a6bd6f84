import { beforeAll, expect, test } from 'vitest'
import type { SyncRun, SyncSchedule } from '../../../src/contract/sync-run.ts'
import { ensureBuilt } from '../../cli/built-program.ts'
import { temporaryFolder } from '../../device/device-kit.ts'
import { formFields } from './consent-kit.ts'
import { type ServerProcess, startProcess } from './server-process.ts'

beforeAll(ensureBuilt)

const got = async (server: ServerProcess, path: string) => JSON.parse((await server.call('GET', path)).text)

/** Links the first account of a sandbox provider as in a browser, and returns the connection's id. */
async function connected(server: ServerProcess, provider: string): Promise<string> {
  const [{ id: collection_id }] = await got(server, '/v1/collections')
  const begun = await server.call('POST', `/v1/connectors/${provider}/connect`, { collection_id })
  const { auth_url, state } = JSON.parse(begun.text)
  const fields = formFields(await (await fetch(auth_url)).text())
  const account = fields.find(([name]) => name === 'account')
  if (account === undefined) throw new Error('the page has no account')
  const sent: [string, string][] = [...fields.filter(([name]) => name !== 'account'), account, ['decision', 'approve']]
  const [address] = auth_url.split('?')
  const page = await fetch(address, { method: 'POST', body: new URLSearchParams(sent) })
  expect(page.status).toBe(200)
  return (await got(server, `/v1/connectors/attempts?state=${encodeURIComponent(state)}`)).connection_id
}

async function rested(server: ServerProcess, id: string): Promise<SyncSchedule> {
  for (;;) {
    const schedule: SyncSchedule = await got(server, `/v1/connectors/${id}/schedule`)
    if (schedule.state === 'idle') return schedule
  }
}

async function isRunning(server: ServerProcess, id: string): Promise<void> {
  for (;;) {
    const { state }: SyncSchedule = await got(server, `/v1/connectors/${id}/schedule`)
    if (state === 'running') return
  }
}

async function memories(server: ServerProcess): Promise<number> {
  return (await got(server, '/v1/collections'))[0].memories
}

async function stopped({ child, ended }: ServerProcess): Promise<void> {
  child.kill('SIGTERM')
  const { code, stderr } = await ended
  // Node prints warnings as text, while the log is JSON.
  expect([code, stderr.match(/^.*Warning.*$/m)]).toEqual([0, null])
}

test('syncs from the consent on with all its threads, and reports it in its metrics', async () => {
  const server = await startProcess(temporaryFolder())
  const [mailbox, notes] = [await connected(server, 'mailbox'), await connected(server, 'notes')]
  for (const id of [mailbox, notes]) {
    const { last_run } = await rested(server, id)
    expect(last_run).toMatchObject({ outcome: expect.stringMatching(/^(succeeded|partial)$/), trigger: 'schedule' })
    const { items_synced } = await got(server, `/v1/connectors/${id}`)
    expect(items_synced).toBeGreaterThan(10)
  }
  const { text } = await server.call('GET', '/metrics')
  expect(text).toMatch(/^memctl_sync_runs_total\{outcome="succeeded"\} [12]$/m)
  expect(text).toMatch(/^memctl_sync_running 0$/m)
  const said = /^memctl_sync_memories_total (\d+)$/m.exec(text)?.[1]
  expect(Number(said)).toBeGreaterThanOrEqual(await memories(server))
  await stopped(server)
})

test('ends in time when told to stop during a sync; the next server continues immediately', async () => {
  const home = temporaryFolder()
  const first = await startProcess(home)
  const id = await connected(first, 'mailbox')
  await rested(first, id)
  const before = await memories(first)
  const fault = { provider: 'mailbox', kind: 'timeout', times: 9 }
  await first.call('POST', '/sandbox/control/faults', fault)
  await first.call('POST', `/v1/connectors/${id}/sync`)
  await isRunning(first, id)
  await stopped(first)
  const second = await startProcess(home)
  await rested(second, id)
  const runs: SyncRun[] = await got(second, `/v1/connectors/${id}/runs`)
  expect(runs.map(({ outcome, trigger }) => [outcome, trigger])).toEqual([
    ['succeeded', 'manual'],
    ['stopped', 'manual'],
    ['succeeded', 'schedule']
  ])
  expect(await memories(second)).toBe(before)
  await stopped(second)
})
