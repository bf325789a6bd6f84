import { expect, test } from 'vitest'
import type { RunParts } from '../../../server/sync/run.ts'
import { seeded } from './storm/seeded.ts'
import { STORM_SOURCES, type StormSource } from './storm/storm-sources.ts'
import { type StormWorld, stormWorld } from './storm/storm-world.ts'
import { DAY } from './sync-kit.ts'

const UNREADABLE_PROGRESS = '{"v":99}'

/** Returns the parts of a node that cannot read the progress of the last run, so that it lists everything again. */
function withoutProgress({ kit: { parts } }: StormWorld): RunParts {
  const claimDue: RunParts['storage']['claimDue'] = async (asked) =>
    (await parts.storage.claimDue(asked)).map((claim) => ({ ...claim, progress: UNREADABLE_PROGRESS }))
  return { ...parts, storage: { ...parts.storage, claimDue } }
}

/** Creates a world whose last step was a change. */
async function changedWorld(source: StormSource): Promise<StormWorld> {
  const storm = await stormWorld(source)
  const chance = seeded(5)
  for (let count = 0; count < 20; count += 1)
    await source.change(storm.world, chance, `Word ${count}.`).catch((error: unknown) => {
      expect(String(error)).toMatch(/ 422 /)
    })
  return storm
}

for (const [name, source] of Object.entries(STORM_SOURCES)) {
  test(`${name}: deletes no existing item in a resync whose listings lag by 11`, async () => {
    const storm = await changedWorld(source)
    await storm.sync()
    const before = [...(await storm.items()).keys()]
    expect(before.length).toBeGreaterThan(5)
    await storm.world.order({ kind: 'lag', value: 11, times: 1000 })
    expect(await storm.sync({ parts: withoutProgress(storm) })).toMatchObject({ outcome: 'succeeded', deleted: 0 })
    expect([...(await storm.items()).keys()]).toEqual(before)
  })

  test(`${name}: deletes no existing item in a weekly listing that lags`, async () => {
    const storm = await changedWorld(source)
    await storm.sync()
    const before = [...(await storm.items()).keys()]
    await storm.world.order({ kind: 'lag', value: 11, times: 1000 })
    await storm.world.kit.clock.pass(8 * DAY)
    expect(await storm.sync()).toMatchObject({ deleted: 0 })
    expect([...(await storm.items()).keys()]).toEqual(before)
  })
}

test('drive: deletes deselected items immediately, without a look-up for each file', async () => {
  const storm = await stormWorld(STORM_SOURCES.drive)
  const [library = {}, , , personal = {}] = storm.configs
  await storm.configure(personal)
  await storm.sync()
  const before = [...(await storm.items()).keys()]
  await storm.configure(library)
  const asked = new Set<string>()
  storm.world.around((fetch) => (request) => {
    asked.add(/\/files\/([^/?]+)/.exec(request.url)?.[1] ?? '')
    return fetch(request)
  })
  const holds = storm.holds()
  const left = before.filter((id) => !holds.has(id))
  expect(left.length).toBeGreaterThan(1)
  expect(await storm.sync()).toMatchObject({ outcome: 'succeeded', deleted: left.length })
  expect([...(await storm.items()).keys()].sort()).toEqual([...storm.holds()].sort())
  expect(left.filter((id) => asked.has(id))).toEqual([])
})
