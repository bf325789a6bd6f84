import { expect, onTestFinished, test } from 'vitest'
import type { Sync } from '../../../server/sync/create-sync.ts'
import { createSync } from '../../../server/sync/create-sync.ts'
import { epochNow } from '../../../src/contract/epoch-ms.ts'
import { until } from '../../setup/until.ts'
import { manualClock } from '../http/manual-clock.ts'
import { idsOf, type ScriptedKit, sayingOf, scriptedKit } from './scripted-kit.ts'
import { failure } from './scripted-source.ts'
import { HOUR, MINUTE, openStorage, textsOf } from './sync-kit.ts'

function started(kit: ScriptedKit): Sync {
  const sync = createSync(kit.parts)
  onTestFinished(() => sync.stop())
  return sync
}

/** Waits like the function above, while time passes. */
async function untilLater(kit: ScriptedKit, isSo: () => boolean): Promise<void> {
  for (let second = 0; second < 20_000 && !isSo(); second += 1) {
    await kit.clock.pass(1000)
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  await until(isSo)
}

test('syncs connections that are due at the start immediately', async () => {
  const kit = await scriptedKit({ holds: ['a', 'b'] })
  const sync = started(kit)
  await until(() => sync.state().runs.succeeded === 1)
  expect(sync.state()).toMatchObject({ running: 0, runs: { succeeded: 1 }, items: 2, memories: 2 })
  expect(textsOf(await kit.memories())).toEqual(['a', 'b'].map(sayingOf))
})

test('syncs a requested connection as soon as it is woken', async () => {
  const kit = await scriptedKit({ holds: ['a'] })
  const sync = started(kit)
  await until(() => sync.state().runs.succeeded === 1)
  kit.source.put('b', sayingOf('b'))
  await kit.storage.requestSync(kit.connectionId, epochNow(kit.clock))
  sync.wake()
  await until(() => sync.state().runs.succeeded === 2)
  expect((await kit.lastRun()).trigger).toBe('manual')
})

test('finds a connection that another node made due within five seconds', async () => {
  const kit = await scriptedKit({ holds: ['a'] })
  const sync = started(kit)
  await until(() => sync.state().runs.succeeded === 1)
  await kit.storage.requestSync(kit.connectionId, epochNow(kit.clock))
  await kit.clock.pass(5000)
  await until(() => sync.state().runs.succeeded === 2)
})

test('syncs a connection repeatedly, each time within 5 % of the interval', async () => {
  const kit = await scriptedKit({ holds: ['a'], settings: { intervalMs: HOUR } })
  const sync = started(kit)
  await until(() => sync.state().runs.succeeded === 1)
  for (const runs of [2, 3, 4]) {
    const before = kit.clock.now()
    await untilLater(kit, () => sync.state().runs.succeeded === runs)
    const passed = kit.clock.now() - before
    expect(passed).toBeGreaterThan(HOUR * 0.94)
    expect(passed).toBeLessThan(HOUR * 1.05 + 2 * 5000)
  }
})

test('runs as many syncs as there are workers, and gives the waiting ones their turn', async () => {
  const clock = manualClock()
  const storage = await openStorage(clock)
  let running = 0
  let most = 0
  const kits: ScriptedKit[] = []
  for (const number of [1, 2, 3, 4, 5]) kits.push(await scriptedKit({ holds: ['a'], storage, clock, number }))
  const [kit] = kits
  if (kit === undefined) throw new Error('there is no kit')
  const { changes } = kit.source.provider
  kit.source.provider.changes = async (...given) => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    return await changes(...given)
  }
  kit.parts.settings.workers = 2
  const sync = started(kit)
  await until(() => sync.state().runs.succeeded === 5)
  expect(most).toBe(2)
})

test('ends the runs of a server that stops, and claims no more connections', async () => {
  const kit = await scriptedKit({ holds: idsOf('p', 9) })
  const sync = createSync(kit.parts)
  let isReading = false
  kit.source.when('read p005', () => {
    isReading = true
    return new Promise(() => undefined)
  })
  await until(() => isReading)
  expect(sync.state().running).toBe(1)
  await sync.stop()
  expect(sync.state()).toMatchObject({ running: 0, runs: { stopped: 1 } })
  expect((await kit.lastRun()).outcome).toBe('stopped')
  expect((await kit.connection()).nextRunAt).toBe(kit.clock.now())
  sync.wake()
  await kit.clock.pass(HOUR)
  expect(sync.state().runs).toEqual({ stopped: 1 })
  expect(await kit.sync('two')).toMatchObject({ outcome: 'succeeded', created: 6 })
})

test('retries a storage that is unavailable', async () => {
  const kit = await scriptedKit({ holds: ['a'] })
  const { claimDue } = kit.storage
  let asked = 0
  kit.storage.claimDue = async (...given) => {
    asked += 1
    if (asked < 3) throw new Error('away')
    return await claimDue(...given)
  }
  const sync = started(kit)
  await untilLater(kit, () => sync.state().runs.succeeded === 1)
  expect(kit.logged.filter(({ fields }) => 'err' in fields)).toHaveLength(2)
})

test('resumes a parked run by itself when it is due', async () => {
  const kit = await scriptedKit({ holds: ['a'] })
  kit.source.fail('changes', failure('rate_limited', 10 * MINUTE))
  const sync = started(kit)
  await until(() => sync.state().runs.parked === 1)
  await untilLater(kit, () => sync.state().runs.succeeded === 1)
  expect(kit.clock.ticks()).toBeGreaterThanOrEqual(10 * MINUTE)
  expect(kit.clock.ticks()).toBeLessThan(11 * MINUTE)
})
