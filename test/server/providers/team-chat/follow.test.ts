import { expect, test } from 'vitest'
import { chatKit, follow, newFollower, texts, written } from './chat-kit.ts'

const DAY_MS = 24 * 3600 * 1000

test('reads all messages of people in the selected channels in the first round, and nothing else', async () => {
  const kit = await chatKit()
  const selection = ['general', 'pilot-northquay', 'leads'].map(kit.channel)
  const follower = newFollower()

  await follow(kit, follower, { selection })

  expect([...texts(follower).keys()].sort()).toEqual([...written(kit, selection).keys()].sort())
  expect(follower.known.size).toBeGreaterThan(25)
})

test('follows posts, replies, edits and deletions', async () => {
  const kit = await chatKit()
  const selection = [kit.channel('general')]
  const follower = newFollower()
  const old = await kit.change('post', { channel: 'general', text: 'a root', at: kit.clock.now() - DAY_MS })
  const answered = await kit.change('reply', { channel: 'general', thread: old.ts, text: 'first' })
  await follow(kit, follower, { selection })

  await kit.pass(3_600_000)
  await kit.change('edit', { channel: 'general', ts: answered.ts, text: 'first, edited' })
  await kit.change('reply', { channel: 'general', thread: old.ts, text: 'second' })
  const gone = await kit.change('post', { channel: 'general', text: 'soon gone' })
  await follow(kit, follower, { selection })
  expect(texts(follower).get(`${selection[0]}/${gone.ts}/${gone.ts}`)).toBe('soon gone')
  await kit.change('delete', { channel: 'general', ts: gone.ts })
  await follow(kit, follower, { selection })

  const followed = texts(follower)
  expect(followed.get(`${selection[0]}/${old.ts}/${answered.ts}`)).toBe('first, edited')
  expect([...followed.keys()].sort()).toEqual([...written(kit, selection).keys()].sort())
})
