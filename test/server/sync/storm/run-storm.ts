import { expect } from 'vitest'
import type { Storage } from '../../../../server/storage/port/storage.ts'
import type { RunParts } from '../../../../server/sync/run.ts'
import { epochNow } from '../../../../src/contract/epoch-ms.ts'
import { DAY, HOUR, MINUTE, syncDue } from '../sync-kit.ts'
import { type Chance, seeded } from './seeded.ts'
import type { StormSource } from './storm-sources.ts'
import type { OpenStormStorage } from './storm-storages.ts'
import { type StormWorld, said, stormWorld } from './storm-world.ts'

const FAULTS = [
  ...['rate_limited', 'rate_limited', 'server_error', 'overloaded', 'cut_body', 'html', 'wrong_shape'],
  ...['expired_token', 'dead_grant', 'timeout', 'repeat_cursor', 'lag', 'lag', 'lag']
] as const

type Storm = StormWorld & { source: StormSource; chance: Chance; count: number }

/**
 * Simulates some weeks of a connection with provider failures, killed or stopped nodes, and changes of the content and
 * the selection, between runs and during them. Afterwards, one more sync must give the same result as a sync into an
 * empty collection.
 */
export async function runStorm(source: StormSource, seed: number, openStorage: OpenStormStorage): Promise<void> {
  const chance = seeded(seed)
  const storm: Storm = { ...(await stormWorld(source, openStorage)), source, chance, count: 0 }
  const steps = 5 + chance.number(9)
  for (let step = 0; step < steps; step += 1) await happen(storm)
  await calm(storm)
  expect(storm.kit.logged.filter(({ fields }) => isBug(fields.err))).toEqual([])
  if (chance.percent(20)) await disconnect(storm)
  await storm.close()
}

async function happen(storm: Storm): Promise<void> {
  const { chance, world } = storm
  const roll = chance.number(100)
  if (roll < 25) for (let left = 1 + chance.number(4); left > 0; left -= 1) await change(storm)
  else if (roll < 40) await order(storm)
  else if (roll < 52) await world.kit.clock.pass(chance.pick([30_000, MINUTE, 10 * MINUTE, 5 * HOUR, DAY, 8 * DAY]))
  else if (roll < 58) await configure(storm)
  else await disturbedSync(storm)
}

async function order({ chance, world, source }: Storm): Promise<void> {
  const kind = chance.pick(FAULTS)
  const after = chance.number(8)
  // Only listings lag, each for some pages.
  if (kind === 'lag')
    return await world.order({
      kind,
      value: 1 + chance.number(15),
      after: chance.number(3),
      times: 1 + chance.number(9)
    })
  const operation = chance.pick(source.operations)
  await world.order({ kind, operation, after, times: 1 + chance.number(3) })
}

/** Changes something. Ignores changes that are impossible, such as moving a folder into itself. */
async function change(storm: Storm): Promise<void> {
  storm.count += 1
  await storm.source.change(storm.world, storm.chance, `Word ${storm.count}.`).catch((error: unknown) => {
    expect(String(error)).toMatch(/ 422 /)
  })
}

async function configure(storm: Storm): Promise<void> {
  await storm.configure(storm.chance.pick(storm.configs))
}

async function disturbedSync(storm: Storm): Promise<void> {
  const { chance, kit } = storm
  const at = 1 + chance.number(20)
  const stopping = new AbortController()
  const what = chance.pick(['nothing', 'nothing', 'killed', 'killed', 'stop', 'configure', 'rival', 'change'] as const)
  let isFenced = false
  let rival: unknown
  if (what === 'stop') storm.before(at, async () => stopping.abort())
  if (what === 'change') storm.before(at, () => change(storm))
  if (what === 'rival')
    storm.before(at, async () => {
      rival = await syncDue(kit.parts, 'rival')
    })
  if (what === 'configure')
    storm.before(at, () => {
      isFenced = true
      return configure(storm)
    })
  const parts = what === 'killed' ? killed(kit.parts, chance) : kit.parts
  const before = { items: await storm.items(), holds: storm.holds() }
  const result = await storm.sync({ parts, stopping: stopping.signal })
  expect(rival, 'another node had the connection at the same time').toBeUndefined()
  if (isFenced) return
  const items = await storm.items()
  const holds = storm.holds()
  const lost = [...before.items.keys()].filter((id) => before.holds.has(id) && holds.has(id) && !items.has(id))
  expect(lost, 'items that are still there were deleted').toEqual([])
  if (result?.outcome !== 'parked' || result.failed > 0) return
  for (const [id, { tries }] of items)
    expect(tries, 'a rate limit burned a try').toBeLessThanOrEqual(before.items.get(id)?.tries ?? 0)
}

class Killed extends Error {}

/** Kills a node at one of its writes, either before the write or before the node receives its result. */
function killed(parts: RunParts, chance: Chance): RunParts {
  let left = 1 + chance.number(6)
  const isWritten = chance.percent(50)
  const dies =
    <Given extends unknown[], T>(write: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      left -= 1
      if (left > 0) return await write(...given)
      if (left === 0 && isWritten) await write(...given)
      throw new Killed('killed')
    }
  const { storage } = parts
  const mortal = {
    ...storage,
    commitPage: dies((...given: Parameters<Storage['commitPage']>) => storage.commitPage(...given)),
    endRun: dies((...given: Parameters<Storage['endRun']>) => storage.endRun(...given)),
    renewLease: async (...given: Parameters<Storage['renewLease']>) => {
      if (left <= 0) throw new Killed('killed')
      return await storage.renewLease(...given)
    }
  }
  return { ...parts, storage: mortal }
}

function isBug(error: unknown): boolean {
  return error !== undefined && !(error instanceof Killed)
}

/**
 * Ends the storm: every wait expires, and one more sync corrects everything, except what only a second listing a minute
 * later can confirm to be gone.
 */
async function calm(storm: Storm): Promise<void> {
  const { world, kit } = storm
  await world.kit.control('DELETE', '/faults')
  await world.kit.clock.pass(8 * DAY)
  const result = await storm.sync()
  expect(['succeeded', 'partial']).toContain(result?.outcome)
  if (Object.keys((await kit.lastRun()).reasons).some((reason) => reason.includes('not confirmed'))) {
    await world.kit.clock.pass(MINUTE)
    await storm.sync()
  }
  const items = await storm.items()
  expect([...items.keys()].sort(), 'ids of items').toEqual([...storm.holds()].sort())
  expect(said(await kit.memories()), 'memories').toEqual(await storm.fresh())
}

/** Checks that a disconnect during a run wins: no line is written after it. */
async function disconnect(storm: Storm): Promise<void> {
  const { kit, world } = storm
  for (let count = 0; count < 3; count += 1) await change(storm)
  await storm.configure(storm.config)
  let left: string[] | undefined
  storm.before(1 + storm.chance.number(5), async () => {
    await kit.storage.revokeConnection(kit.connectionId, epochNow(world.kit.clock))
    left = said(await kit.memories())
  })
  const result = await storm.sync()
  if (left === undefined) return
  expect(result?.outcome).toBe('lost')
  expect(said(await kit.memories())).toEqual(left)
}
