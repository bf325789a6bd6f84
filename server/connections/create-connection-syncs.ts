import { epochNow } from '../../src/contract/epoch-ms.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { SyncItem, SyncRun, SyncSchedule } from '../../src/contract/sync-run.ts'
import type { Clock } from '../../src/ports.ts'
import type { EnabledProviders } from '../oauth/wire/enabled-provider.ts'
import type { ConnectorStorage, StoredConnection } from '../storage/port/connector-storage.ts'
import type { StoredItem, StoredRun, SyncStorage } from '../storage/port/sync-storage.ts'

import type { ConnectionSyncSettings, ConnectionSyncs } from './connection-syncs.ts'
import { noConnection } from './no-connection.ts'
import { assertStep, requireConnection, requireEnabled } from './require-connection.ts'
import { liveRunId, toWireItem, toWireRun, wireSchedule } from './to-wire-connection.ts'

export type ConnectionSyncsParts = {
  storage: Pick<ConnectorStorage, 'findConnection'> & SyncsStorage
  enabled: EnabledProviders
  world: { clock: Clock }
  settings: ConnectionSyncSettings
}

type SyncsStorage = Pick<
  SyncStorage,
  'requestSync' | 'listRuns' | 'findRun' | 'listItems' | 'findItem' | 'retryItem' | 'findSchedule' | 'setPaused'
>

/** Creates the syncs of connections over a storage and the enabled providers. */
export function createConnectionSyncs(parts: ConnectionSyncsParts): ConnectionSyncs {
  const { storage, settings } = parts
  return {
    request: (id) => request(parts, id),
    async runs(id, page) {
      const connection = await requireConnection(parts, id)
      return (await storage.listRuns(id, page)).map((run) => toWireRun(run, connection))
    },
    async run(id, runId) {
      const connection = await requireConnection(parts, id)
      const run = await storage.findRun(id, runId)
      if (run) return toWireRun(run, connection)
      throw new Fault('not_found', `connection ${id} has no run ${runId}`, { hint: runsCommand(id) })
    },
    items: async (id, page) => (await storage.listItems(id, page)).map((item) => toWireItem(item, settings)),
    retry: (id, itemId) => retry(parts, id, itemId),
    schedule: async (id) => await readSchedule(parts, await requireConnection(parts, id)),
    setPaused: (id, paused) => setPaused(parts, id, paused)
  }
}

async function request(parts: ConnectionSyncsParts, id: string): Promise<{ message: string }> {
  const { storage, world } = parts
  const connection = await requireConnection(parts, id)
  assertStep(connection, { type: 'sync_asked' })
  requireEnabled(parts, connection.provider)
  const outcome = await storage.requestSync(id, epochNow(world.clock))
  if (outcome === 'requested') return { message: 'Sync triggered' }
  if (outcome === 'unknown') throw noConnection(id)
  if (outcome === 'not_active') throw new Fault('usage', `connection ${id} is no longer active`)
  throw new Fault('conflict', `a sync of connection ${id} is already in progress`, { hint: runsCommand(id) })
}

async function retry(parts: ConnectionSyncsParts, id: string, itemId: string): Promise<SyncItem> {
  const { storage, world, settings } = parts
  const connection = await requireConnection(parts, id)
  assertStep(connection, { type: 'item_retried' })
  requireEnabled(parts, connection.provider)
  const outcome = await storage.retryItem(id, { itemId, now: epochNow(world.clock) })
  const item = outcome === 'unknown' ? undefined : await storage.findItem(id, itemId)
  if (item === undefined) throw noItem(id, itemId)
  if (outcome === 'not_failed') throw notFailed(item)
  return toWireItem(item, settings)
}

async function setPaused(parts: ConnectionSyncsParts, id: string, paused: boolean): Promise<SyncSchedule> {
  const connection = await requireConnection(parts, id)
  assertStep(connection, { type: paused ? 'paused' : 'resumed' })
  if (await parts.storage.setPaused(id, { paused, now: epochNow(parts.world.clock) }))
    return await readSchedule(parts, connection)
  throw new Fault('conflict', `connection ${id} was revoked in the meantime`)
}

async function readSchedule(parts: ConnectionSyncsParts, connection: StoredConnection): Promise<SyncSchedule> {
  const { storage, world, settings } = parts
  const { id } = connection
  const [schedule, runs] = await Promise.all([
    storage.findSchedule(id),
    storage.listRuns(id, { limit: RUNS_LOOKED_AT })
  ])
  if (schedule === undefined) throw noConnection(id)
  const now = world.clock.now()
  const live = liveRunId(schedule, now)
  const toRun = (run: StoredRun | undefined): SyncRun | undefined => run && toWireRun(run, connection)
  return wireSchedule({
    connection,
    schedule,
    running: toRun(runs.find((run) => run.id === live)),
    lastRun: toRun(runs.find(({ endedAt }) => endedAt !== undefined)),
    now,
    intervalMs: settings.intervalMs
  })
}

/**
 * The number of runs among which the last ended one is looked for. A current run, or one that a lost server left
 * unfinished, can be newer.
 */
const RUNS_LOOKED_AT = 3

function runsCommand(id: string): string {
  return `memctl connections runs ${id}`
}

function noItem(id: string, itemId: string): Fault {
  return new Fault('not_found', `connection ${id} has no item ${JSON.stringify(itemId)}`, {
    hint: `memctl connections items ${id}`
  })
}

function notFailed({ id, status }: StoredItem): Fault {
  return new Fault('conflict', `only failed items can be retried, but item ${JSON.stringify(id)} is ${status}`)
}
