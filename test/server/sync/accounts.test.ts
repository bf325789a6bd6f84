import { expect, test } from 'vitest'
import { STORM_SOURCES } from './storm/storm-sources.ts'
import { type StormWorld, stormWorld } from './storm/storm-world.ts'
import { DAY } from './sync-kit.ts'

const SOURCES = Object.entries(STORM_SOURCES)

/** Counts the requests to the provider. */
function counted(storm: StormWorld): { requests: number } {
  const count = { requests: 0 }
  storm.world.around((fetch) => (request) => {
    count.requests += 1
    return fetch(request)
  })
  return count
}

test.for(SOURCES)('%s: stores every item of the account with its text in the first sync', async ([, source]) => {
  const storm = await stormWorld(source)
  expect(['succeeded', 'partial']).toContain((await storm.sync())?.outcome)
  const items = await storm.items()
  const selection = storm.config.folder_ids ?? storm.config.channel_ids ?? []
  const holds = source.options.holds(storm.world.account, selection)
  expect(new Set(items.keys())).toEqual(new Set(holds.keys()))
  const memories = await storm.kit.memories()
  for (const [id, piece = ''] of holds) {
    if (items.get(id)?.status !== 'synced') continue
    const said = memories.filter(({ metadata }) => metadata?.item === id).map(({ text }) => text)
    expect(said.length, id).toBe(items.get(id)?.memories)
    expect(said.join('\n'), id).toContain(piece.split('\n')[0])
  }
})

test.for([SOURCES[0], SOURCES[1]])('sends at most two requests in a second sync if nothing changed', async (given) => {
  const [, source] = given ?? []
  if (source === undefined) throw new Error('there is no source')
  const storm = await stormWorld(source)
  await storm.sync()
  const count = counted(storm)
  expect(await storm.sync()).toMatchObject({ created: 0, updated: 0, deleted: 0, failed: 0, memories: 0 })
  expect(count.requests).toBeLessThanOrEqual(2)
})

test.for(SOURCES)('%s: lists everything a week later and changes nothing', async ([, source]) => {
  const storm = await stormWorld(source)
  await storm.sync()
  const before = await storm.kit.memories()
  await storm.world.kit.clock.pass(8 * DAY)
  expect(await storm.sync()).toMatchObject({ created: 0, deleted: 0 })
  expect(await storm.kit.memories()).toEqual(before)
})

test('deletes the messages of deselected channels, and does not remake those of the others', async () => {
  const storm = await stormWorld(STORM_SOURCES.chat)
  await storm.sync()
  const [all, one] = STORM_SOURCES.chat.configs(storm.world.account)
  const before = await storm.kit.memories()
  await storm.configure(one ?? {})
  expect(await storm.sync()).toMatchObject({ outcome: 'succeeded', created: 0 })
  const places = new Set([...(await storm.items()).values()].map(({ place }) => place))
  expect([...places]).toEqual(one?.channel_ids)
  await storm.configure(all ?? {})
  await storm.sync()
  expect((await storm.kit.memories()).map(({ text }) => text).sort()).toEqual(before.map(({ text }) => text).sort())
})
