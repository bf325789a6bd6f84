import { expect, test } from 'vitest'
import type { Fetch } from '../../../../src/ports.ts'
import { chatKit, follow, newFollower, written } from './chat-kit.ts'

test('empties a private channel that the user left, and reads all of it when they return', async () => {
  const kit = await chatKit()
  const selection = ['leads', 'general'].map(kit.channel)
  const follower = newFollower()
  await follow(kit, follower, { selection })
  const all = follower.known.size

  await kit.change('kick', { channel: 'leads' })
  await follow(kit, follower, { selection })
  expect([...follower.known.values()].filter(({ place }) => place === selection[0])).toEqual([])
  expect([...kit.ledger.keys()].filter((key) => key.includes(selection[0] ?? '-'))).toEqual([
    `left-out/${selection[0]}`
  ])
  await kit.change('invite', { channel: 'leads' })
  await follow(kit, follower, { selection })
  expect(follower.known.size).toBe(all)
})

test('reads an archived channel like any other', async () => {
  const kit = await chatKit()
  const selection = [kit.channel('launch-2024')]
  const follower = newFollower()
  await follow(kit, follower, { selection })
  expect(follower.known.size).toBe(1)
})

test('keeps the messages of an existing channel whose history is refused, and reads other channels', async () => {
  let refusing = false
  const around =
    (fetch: Fetch): Fetch =>
    async (request) => {
      const refused = refusing && request.url.includes('history') && request.url.includes(lost)
      return refused ? Response.json({ ok: false, error: 'not_in_channel' }) : await fetch(request)
    }
  const kit = await chatKit({ around })
  const lost = kit.channel('general')
  const selection = [lost, kit.channel('random')]
  const follower = newFollower()
  await follow(kit, follower, { selection })
  refusing = true
  await kit.change('post', { channel: 'general', text: 'meanwhile' })
  await kit.change('post', { channel: 'random', text: 'elsewhere' })
  await follow(kit, follower, { selection })
  const keys = [...follower.known.keys()]
  expect(keys.length).toBe(written(kit, selection).size - 1)

  refusing = false
  await follow(kit, follower, { selection })
  expect(follower.known.size).toBe(written(kit, selection).size)
})

test('removes a deleted thread with its root', async () => {
  const kit = await chatKit()
  const selection = [kit.channel('random')]
  const { ts } = await kit.change('post', { channel: 'random', text: 'root', at: kit.clock.now() - 8 * 24 * 3_600_000 })
  const { ts: answer } = await kit.change('reply', { channel: 'random', thread: ts, text: 'answer' })
  const follower = newFollower()
  await follow(kit, follower, { selection })
  const before = follower.known.size
  await kit.change('delete', { channel: 'random', ts: answer })
  await kit.change('delete', { channel: 'random', ts })
  await follow(kit, follower, { selection })
  expect(follower.known.size).toBe(before - 2)
})

test('does not treat messages hidden by a plan as deleted', async () => {
  let hidden = false
  const around =
    (fetch: Fetch): Fetch =>
    async (request) => {
      const response = await fetch(request)
      if (!hidden || !request.url.includes('history')) return response
      const { messages, ...page } = (await response.json()) as { messages: unknown[] }
      return Response.json({ ...page, messages: messages.slice(0, 2), is_limited: true })
    }
  const kit = await chatKit({ around })
  const selection = [kit.channel('design')]
  const follower = newFollower()
  await follow(kit, follower, { selection, how: 'list' })
  const before = follower.known.size
  hidden = true
  await follow(kit, follower, { selection, how: 'list' })
  expect(follower.known.size).toBe(before)
})

test('drops and empties a deselected channel in the middle of a round', async () => {
  const kit = await chatKit()
  const [one = '', two = ''] = ['general', 'random'].map(kit.channel)
  const follower = newFollower()
  await follow(kit, follower, { selection: [one, two] })
  await follow(kit, follower, { selection: [two] })
  expect(follower.cursor).not.toContain(one)
  expect(new Set([...follower.known.values()].map(({ place }) => place))).toEqual(new Set([two]))
  expect([...kit.ledger.keys()].filter((key) => key.includes(one))).toEqual([])
})
