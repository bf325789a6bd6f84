import { createPacedFetch } from '../../../../server/providers/http/create-paced-fetch.ts'
import type { StoredItem } from '../../../../server/storage/port/sync-storage.ts'

import type { RunParts } from '../../../../server/sync/run.ts'
import type { RunResult } from '../../../../server/sync/run-connection.ts'
import type { ConnectionConfig } from '../../../../src/contract/connection.ts'
import { epochNow } from '../../../../src/contract/epoch-ms.ts'
import type { MemoryRecord } from '../../../../src/contract/snapshot.ts'
import type { Fetch } from '../../../../src/ports.ts'
import { type SuiteWorld, suiteWorld } from '../../../suites/provider-suite-world.ts'
import { idAt } from '../../../suites/storage-place.ts'
import { memoriesIn, type SyncKit, syncDue, syncKit } from '../sync-kit.ts'
import type { StormSource } from './storm-sources.ts'
import { type OpenStormStorage, openSqlite } from './storm-storages.ts'

/** A sandbox with one account and a connection to it. */
export type StormWorld = {
  world: SuiteWorld
  kit: SyncKit
  config: ConnectionConfig
  /** The selections, by the names from before the storm. */
  configs: readonly ConnectionConfig[]
  /** Runs an action before the request with this number in the next run. */
  before(request: number, act: () => Promise<unknown>): void
  /** Changes the selection as a user. */
  configure(config: ConnectionConfig): Promise<void>
  /** Runs a requested sync on a node of its own. Its writes go through `parts`. */
  sync(more?: { parts?: RunParts; stopping?: AbortSignal }): Promise<RunResult | undefined>
  /** Returns the ids of the items in the selection. */
  holds(): Set<string>
  items(): Promise<Map<string, StoredItem>>
  /** Returns the result of the same sync into an empty collection. */
  fresh(): Promise<string[]>
  /** Returns whether the storage is working. */
  isBusy(): boolean
  close(): Promise<void>
}

export async function stormWorld(source: StormSource, openStorage: OpenStormStorage = openSqlite): Promise<StormWorld> {
  const world = await suiteWorld(source.options)
  const { clock } = world.kit
  const { provider, documents } = source.options
  const acts = new Map<number, () => Promise<unknown>>()
  let requests = 0
  world.around((fetch) => async (request) => {
    requests += 1
    const act = acts.get(requests)
    acts.delete(requests)
    await act?.()
    return await fetch(request)
  })
  const pace = new Map<string, number>()
  const { paceBy } = provider.facts
  const fetch = (): Fetch => createPacedFetch(world.call().fetch, { clock, pace, paceBy })
  const configs = source.configs(world.account)
  const [config = {}] = configs
  const { storage, isBusy, close } = await openStorage(clock)
  const options = {
    ...{ source: { provider, apiUrl: world.call().apiUrl }, clock, fetch, config, storage },
    ...(documents && { documents: documents() })
  }
  const kit = await syncKit(options)
  let nodes = 0
  const storm: StormWorld = {
    world,
    kit,
    config,
    configs,
    isBusy,
    close,
    before: (request, act) => void acts.set(request, act),
    async configure(next) {
      storm.config = next
      await kit.configure(next)
    },
    async sync({ parts = kit.parts, stopping } = {}) {
      await world.signInAgain()
      requests = 0
      await kit.storage.requestSync(kit.connectionId, epochNow(clock))
      const result = await inTime(storm, syncDue(parts, `node ${nodes++}`, stopping))
      acts.clear()
      return result
    },
    holds: () => new Set(source.options.holds(world.account, selected(storm)).keys()),
    items: async () => new Map((await kit.items()).map((item) => [item.id, item])),
    async fresh() {
      const other = await syncKit({ ...options, config: storm.config, number: 2, into: 2 })
      await world.signInAgain()
      const result = await inTime(storm, other.sync())
      if (result?.outcome !== 'succeeded' && result?.outcome !== 'partial')
        throw new Error(`a fresh sync ${result?.outcome}`)
      return said(await memoriesIn(kit.storage, idAt(2)))
    }
  }
  return storm
}

function selected({ config }: StormWorld): readonly string[] {
  return config.folder_ids ?? config.channel_ids ?? []
}

/** Returns the texts and attributes of memories, without copy numbers and without the storage time of undated ones. */
export function said(memories: readonly MemoryRecord[]): string[] {
  return memories
    .map(({ text, speaker, conversation, position, metadata, at, undated }) =>
      JSON.stringify({ text, speaker, conversation, position, metadata, at: undated ? null : at })
    )
    .sort()
}

/** The time limit of a run by its own clock, in milliseconds. */
const RUN_MS_MAX = 6 * 3_600_000
/** The number of turns after which pending work is assumed to wait for time to pass. */
const QUIET_TURNS = 3000

/** Returns the result of a run, advancing the time whenever the run waits for it. */
async function inTime<T>({ world, isBusy }: StormWorld, work: Promise<T>): Promise<T> {
  const { clock } = world.kit
  const began = clock.ticks()
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  over.catch(() => undefined)
  for (let turn = 0; !isOver; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    if (turn > QUIET_TURNS && turn % 20 === 0 && !isBusy()) await clock.pass(5000)
    if (clock.ticks() - began > RUN_MS_MAX) throw new Error('the run hangs')
  }
  return await over
}
