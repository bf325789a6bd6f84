import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { SyncRun, SyncSchedule } from '../../../src/contract/sync-run.ts'
import { until } from '../../setup/until.ts'
import { type ManualClock, manualClock } from '../http/manual-clock.ts'
import { connect } from './consent-kit.ts'
import { exported } from './exported.ts'
import type { TestServer } from './server-kit.ts'
import { type Start, serverTestWith } from './server-test.ts'

/** Servers that sync with a sandbox whose content the test changes, by a clock that the test moves. */

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS

export type SyncServer = TestServer & { clock: ManualClock }

/** Defines a test with its own server that syncs. */
export function syncTest(start: Start, sentence: string, body: (server: SyncServer) => Promise<void>): void {
  syncTestWith(start, sentence, { variables: {}, body })
}

/** Defines such a test with other settings. */
export function syncTestWith(
  start: Start,
  sentence: string,
  { variables, body }: { variables: Record<string, string>; body: (server: SyncServer) => Promise<void> }
): void {
  serverTestWith(start, sentence, {
    options: { syncs: true, clock: manualClock(), variables },
    body: (server) => body(server as SyncServer)
  })
}

/** Returns the path of a connection, or of something below it. */
export function at(id: string, ...below: string[]): string {
  return ['/v1/connectors', id, ...below].join('/')
}

export const connectionOf = async (server: TestServer, id: string) => (await server.call('GET', at(id))).json

export async function scheduleOf(server: TestServer, id: string): Promise<SyncSchedule> {
  return (await server.call('GET', at(id, 'schedule'))).json
}

export async function runsOf(server: TestServer, id: string): Promise<SyncRun[]> {
  return (await server.call('GET', at(id, 'runs'))).json
}

export const itemsOf = async (server: TestServer, id: string, query = '') =>
  (await server.call('GET', `${at(id, 'items')}?limit=1000${query}`)).json

/**
 * Waits without advancing time until nothing is in progress or requested, and returns the newest run. Later runs then
 * get later times, so that the newest one is unambiguous.
 */
export async function rested(server: SyncServer, id: string): Promise<SyncRun> {
  const newest = await until(async () => {
    const { state } = await scheduleOf(server, id)
    return state !== 'queued' && state !== 'running' && (await runsOf(server, id))[0]
  })
  await server.clock.pass(1)
  return newest
}

/** Waits likewise until a run is in progress. */
export async function inProgress(server: TestServer, id: string): Promise<void> {
  await until(async () => (await scheduleOf(server, id)).state === 'running')
}

/**
 * Advances time from one due task to the next. Each task ends before time continues, unless it waits for time itself.
 * Returns the newest run.
 */
export async function passed(server: SyncServer, id: string, ms: number): Promise<SyncRun> {
  const { clock } = server
  const end = clock.now() + ms
  for (let turns = 0; clock.now() < end; turns++) {
    const { state, next_sync_at } = await scheduleOf(server, id)
    const isBusy = state === 'queued' || state === 'running'
    await turn()
    if (isBusy && turns % TURNS_OF_WORK !== 0) continue
    const due = next_sync_at === null || state === 'paused' ? end : Date.parse(next_sync_at)
    const next = isBusy ? clock.now() + LOOK_MS : due
    await clock.pass(Math.min(Math.max(next, clock.now() + 1), end) - clock.now())
  }
  for (let turns = 0; turns < TURNS_OF_WORK; turns++) await scheduleOf(server, id)
  return await rested(server, id)
}

/** The longest interval at which a server checks for due work. */
export const LOOK_MS = 5000
/** After this many checks, unfinished work is assumed to wait for time to pass. */
const TURNS_OF_WORK = 40

/** Requests a sync and waits for its end. */
export async function synced(server: SyncServer, id: string): Promise<SyncRun> {
  const { status, json } = await server.call('POST', at(id, 'sync'))
  if (status !== 200) throw new Error(`no sync was triggered: ${status} ${JSON.stringify(json)}`)
  return await rested(server, id)
}

/**
 * Changes the content of an account, by default the first one. `what` is the provider and the change, such as
 * `notes.add_page`.
 */
export async function change(
  server: TestServer,
  what: `${ProviderId}.${string}`,
  { account = 0, ...input }: { account?: number } & Record<string, unknown>
) {
  const [provider, name] = what.split('.')
  const { json: there } = await server.call('GET', `/sandbox/control/accounts/${provider}`)
  const path = `/sandbox/control/accounts/${provider}/${encodeURIComponent(there.accounts[account].id)}/${name}`
  const { status, json } = await server.call('POST', path, { body: input })
  if (status >= 300) throw new Error(`${name} was refused: ${JSON.stringify(json)}`)
  return json
}

export type Drive = { id: string; folder: string; files: Record<string, string> }

/** Creates a folder with text files for the test. */
export async function folderWith(
  server: TestServer,
  texts: Readonly<Record<string, string>>
): Promise<Omit<Drive, 'id'>> {
  const { id: folder } = await change(server, 'cloud_drive.add_folder', {
    parent: 'root',
    name: 'made for the test'
  })
  const files: Record<string, string> = {}
  for (const [name, text] of Object.entries(texts))
    files[name] = (await change(server, 'cloud_drive.add_file', { parent: folder, name, text })).id
  return { folder, files }
}

/** Creates a drive connection with such a folder only, after its first sync. */
export async function syncedDrive(
  server: SyncServer,
  texts: Readonly<Record<string, string>>,
  collectionId = server.collectionId
): Promise<Drive> {
  const { folder, files } = await folderWith(server, texts)
  const id = await connect(server, 'cloud_drive', { config: { folder_ids: [folder] }, collectionId })
  await rested(server, id)
  await requests(server, 'cloud_drive')
  return { id, folder, files }
}

/** Requests a fault for future calls. */
export async function orderFault(server: TestServer, order: Record<string, unknown>): Promise<void> {
  const { status, json } = await server.call('POST', '/sandbox/control/faults', { body: order })
  if (status >= 300) throw new Error(`the fault was refused: ${JSON.stringify(json)}`)
}

/** Returns the operations called at a provider since the last call, without consents and tokens. */
export async function requests(server: TestServer, provider: ProviderId): Promise<string[]> {
  const { json } = await server.call('GET', '/sandbox/control/requests')
  await server.call('DELETE', '/sandbox/control/requests')
  const all = json.requests as { provider: string; operation: string }[]
  return all
    .filter((one) => one.provider === provider && !one.operation.startsWith('oauth.'))
    .map(({ operation }) => operation)
}

/** Returns the sorted texts of a collection's memories, and the number of ids it has forgotten. */
export async function remembered(
  server: TestServer,
  collectionId = server.collectionId
): Promise<{ texts: string[]; forgotten: number }> {
  const { file } = await exported(server, collectionId)
  const lines = file
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const texts = lines.filter(({ type }) => type === 'memory').map(({ text }) => text as string)
  return { texts: texts.sort(), forgotten: lines.filter(({ type }) => type === 'forget').length }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
