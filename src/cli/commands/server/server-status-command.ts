import { suggestStartCommand } from '../../../client/to-unreachable-fault.ts'
import { Fault } from '../../../contract/faults.ts'
import type { RunningServer } from '../../../contract/running-server.ts'
import type { ServerFlags, World } from '../../../ports.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { cardLines } from '../../output/card-lines.ts'
import { shellWord, shortBytes, shortTime } from '../../output/short-forms.ts'
import type { Page, StyledLine } from '../../output/styled-line.ts'
import type { ServerSettingValue } from '../../ports/server-host.ts'
import { chooseServer } from '../../service/choose-server.ts'
import { findDataFolder } from '../../service/find-own-server.ts'
import { DATA_DIR_OPTION, serverFlags } from './server-flags.ts'

export const serverStatusCommand = defineCommand<{ flags: ServerFlags }>({
  name: 'status',
  summary: 'Show whether a server is running and how it is configured',
  options: [DATA_DIR_OPTION],
  about:
    'Shows the server that --server names, else the server that uses the data folder on this machine, else the server that ' +
    'the settings name. Exits with 0 if it is ready, 3 if no server is running, and 7 if it does not respond or is not ready.',
  examples: ['memctl server status', 'memctl server status --json | jq .settings'],
  leaves: 'Nothing was changed',
  parse: ({ options }) => ({ flags: serverFlags(options) }),
  run: async (context, { flags }) => {
    const host = await context.modules.server()
    const settings = await host.settings(flags)
    const folder = await findDataFolder(context, host, flags)
    const local = host.facts(folder)
    const elsewhere = isElsewhere(context, local)
    const found = elsewhere ? undefined : local
    const facts = found !== undefined && host.isRunning(found) ? found : undefined
    const status = await readStatus(context, { facts, folder, settings })
    await context.answer.object(status, { lines: (page) => statusLines(status, page) })
    if (found !== undefined && facts === undefined)
      await context.diagnostics.note(
        `process ${found.pid} ended without a clean shutdown; memctl server start recovers its data`
      )
    refuseUnlessReady(status, { elsewhere, flags })
  }
})

/** Reports whether `--server` names another server than that of the data folder. */
function isElsewhere({ settings }: Context, facts: RunningServer | undefined): boolean {
  return settings.get('server').origin === 'flag' && chooseServer(settings).origin !== facts?.origin
}

type Status = {
  /** Whether a server runs on this machine with this data folder. */
  running: boolean
  origin: string
  health: 'ok' | 'unreachable'
  ready: boolean
  pid: number | null
  version: string | null
  started_at: string | null
  log_file: string | null
  data_dir: string
  storage: { engine: 'sqlite' | 'postgres'; where: string; bytes: number | null }
  /** The settings that a server started now would use. */
  settings: ServerSettingValue[]
}

type Known = { facts: RunningServer | undefined; folder: string; settings: readonly ServerSettingValue[] }

async function readStatus(context: Context, { facts, folder, settings }: Known): Promise<Status> {
  const origin = facts?.origin ?? chooseServer(context.settings).address
  const { health, ready } = await probe(context.world, origin)
  return {
    running: facts !== undefined,
    origin,
    health: health ? 'ok' : 'unreachable',
    ready,
    pid: facts?.pid ?? null,
    version: facts?.version ?? null,
    started_at: facts?.started_at ?? null,
    log_file: facts?.log_file ?? null,
    data_dir: folder,
    storage: measureStorage(context, folder, settings),
    settings: [...settings]
  }
}

/** Returns the engine, the location and the size of the storage. The size includes the write-ahead log. */
function measureStorage(
  { world: { files } }: Context,
  folder: string,
  settings: readonly ServerSettingValue[]
): Status['storage'] {
  const url = settings.find(({ key }) => key === 'database_url')?.value
  if (url !== undefined && url !== null) return { engine: 'postgres', where: url, bytes: null }
  const where = `${folder}/server.db`
  const sizes = [where, `${where}-wal`].map((path) => files.find(path)?.size)
  const [main, log = 0] = sizes
  return { engine: 'sqlite', where, bytes: main === undefined ? null : main + log }
}

/** `elsewhere`: `--server` names another server than that of the data folder. */
type Asked = { elsewhere: boolean; flags: ServerFlags }

function refuseUnlessReady({ running, origin, health, ready }: Status, { elsewhere, flags }: Asked): void {
  if (ready) return
  if (health === 'ok')
    throw new Fault('unavailable', `${origin} responds but is not ready: it is stopping, or cannot reach its storage`, {
      hint: 'memctl server logs'
    })
  if (running)
    throw new Fault('unreachable', `the server is running, but ${origin} does not respond`, {
      hint: 'memctl server logs'
    })
  if (elsewhere)
    throw new Fault('unreachable', `${origin} does not respond`, {
      hint: 'check the address, and start the server if it is not running'
    })
  const folder = flags.data_dir === undefined ? '' : ` --data-dir ${shellWord(flags.data_dir)}`
  // Suggests the address that commands use, so that they find the server.
  const start = `${suggestStartCommand(origin) ?? 'memctl server start'}${folder}`
  throw new Fault('not_found', `no server is running here, and ${origin} does not respond`, {
    hint: start,
    next: [start]
  })
}

function statusLines(status: Status, page: Page): StyledLine[] {
  const { storage } = status
  const size = storage.bytes === null ? '' : ` (${shortBytes(storage.bytes)})`
  const set = status.settings.filter(({ origin }) => origin !== 'default')
  return cardLines(
    [
      ['server', status.origin],
      ['state', stateText(status)],
      ['process', status.pid],
      ['since', status.started_at === null ? null : `${shortTime(status.started_at)} UTC`],
      ['version', status.version],
      ['data', status.data_dir],
      ['storage', `${storage.engine}, ${storage.where}${size}`],
      ['log', status.log_file],
      ...set.map(({ key, value, where }): [string, string] => [key, `${value ?? ''} (${where ?? ''})`])
    ],
    page
  )
}

function stateText({ running, health, ready }: Status): string {
  if (ready) return running ? 'ready' : 'ready, but with another data folder'
  if (health === 'ok') return 'responds, but is not ready'
  return running ? 'running, but does not respond' : 'not running'
}

/** Time limit of a status request in milliseconds. */
const PROBE_MS = 3000

/** Requests whether the server at an address is alive and ready. Sends no key. */
async function probe(
  { fetch, clock, terminal }: Pick<World, 'fetch' | 'clock' | 'terminal'>,
  address: string
): Promise<{ health: boolean; ready: boolean }> {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, terminal.interrupted])
  void clock.wait(PROBE_MS, signal).then(
    () => over.abort(),
    () => undefined
  )
  try {
    const base = address.replace(/\/+$/, '')
    const [health, ready] = await Promise.all([
      isOk(fetch, new Request(`${base}/healthz`, { signal, redirect: 'manual' })),
      isOk(fetch, new Request(`${base}/readyz`, { signal, redirect: 'manual' }))
    ])
    return { health, ready }
  } finally {
    over.abort()
  }
}

async function isOk(fetch: World['fetch'], request: Request): Promise<boolean> {
  try {
    const response = await fetch(request)
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}
