import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { SyncRun, SyncSchedule } from '../../../src/contract/sync-run.ts'
import { type ManualClock, manualClock } from '../http/manual-clock.ts'
import { connect } from './consent-kit.ts'
import { exported } from './exported.ts'
import type { TestServer } from './server-kit.ts'
import { type Start, serverTestWith } from './server-test.ts'

/** Servers that sync, over a sandbox whose content a test changes, by a clock that it moves. */

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS

export type SyncServer = TestServer & { clock: ManualClock }

/** A test with a server of its own that syncs. */
export function syncTest(start: Start, sentence: string, body: (server: SyncServer) => Promise<void>): void {
  syncTestWith(start, sentence, { variables: {}, body })
}

/** The same with other settings. */
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

/** The path of a connection, or of something below it. */
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
 * Waits, without time passing, until nothing is under way or asked for any more; gives the newest run. What comes then is later,
 * so that it is known which run is the newest.
 */
export async function rested(server: SyncServer, id: string): Promise<SyncRun> {
  for (;;) {
    const { state } = await scheduleOf(server, id)
    const [newest] = state === 'queued' || state === 'running' ? [] : await runsOf(server, id)
    if (newest !== undefined) {
      await server.clock.pass(1)
      return newest
    }
    await turn()
  }
}

/** Waits likewise until a run is under way. */
export async function inProgress(server: TestServer, id: string): Promise<void> {
  while ((await scheduleOf(server, id)).state !== 'running') await turn()
}

/**
 * Lets time pass, from one thing that is due to the next: each comes to its end before time goes on, unless it waits for time
 * itself. Gives the newest run.
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

/** No server looks more rarely whether something is due. */
export const LOOK_MS = 5000
/** After so many looks at it, work that has not ended waits for time to pass. */
const TURNS_OF_WORK = 40

/** A sync that somebody asks for, up to its end. */
export async function synced(server: SyncServer, id: string): Promise<SyncRun> {
  const { status, json } = await server.call('POST', at(id, 'sync'))
  if (status !== 200) throw new Error(`no sync was triggered: ${status} ${JSON.stringify(json)}`)
  return await rested(server, id)
}

/** Changes the content of an account, the first one unless said: `what` is the provider and the change, as in `notes.add_page`. */
export async function change(
  server: TestServer,
  what: `${ProviderId}.${string}`,
  { account = 0, ...input }: { account?: number } & Record<string, unknown>
) {
  const [provider, name] = what.split('.')
  const { json: listed } = await server.call('GET', '/sandbox/control/accounts')
  const there = listed.find((one: { provider: string }) => one.provider === provider)
  const path = `/sandbox/control/accounts/${provider}/${there.accounts[account].id}/${name}`
  const { status, json } = await server.call('POST', path, { body: input })
  if (status >= 300) throw new Error(`${name} was refused: ${JSON.stringify(json)}`)
  return json
}

export type Drive = { id: string; folder: string; files: Record<string, string> }

/** A folder with text files that is made for the test. */
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

/** A drive with such a folder alone, after its first sync. */
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

/** Orders a fault of calls to come. */
export async function orderFault(server: TestServer, order: Record<string, unknown>): Promise<void> {
  const { status, json } = await server.call('POST', '/sandbox/control/faults', { body: order })
  if (status >= 300) throw new Error(`the fault was refused: ${JSON.stringify(json)}`)
}

/** Operations of a provider that came in since the last call, consents and tokens aside. */
export async function requests(server: TestServer, provider: ProviderId): Promise<string[]> {
  const { json } = await server.call('GET', '/sandbox/control/requests')
  await server.call('DELETE', '/sandbox/control/requests')
  const all = json.requests as { provider: string; operation: string }[]
  return all
    .filter((one) => one.provider === provider && !one.operation.startsWith('oauth.'))
    .map(({ operation }) => operation)
}

/** Texts of the memories that a collection has, sorted, and how many ids it has forgotten. */
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
