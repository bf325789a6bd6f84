import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { teamChatProvider } from '../../../../server/providers/team-chat/team-chat-provider.ts'
import { post, reply } from '../../../../server/sandbox/team-chat/content.ts'
import { chatKit, follow, newFollower } from './chat-kit.ts'

const DAY_MS = 24 * 3600 * 1000
/** Half of the messages of a large channel. */
const HALF = process.env.SLOW === '1' ? 50_000 : 5000

test('lists 5,000 channels in pages of a thousand', async () => {
  const kit = await chatKit()
  await kit.change('add_channel', { name: 'many', count: 5000 })
  let pages = 0
  let entries = 0
  for await (const page of teamChatProvider.channels?.(kit.call) ?? []) {
    pages += 1
    entries += page.length
    expect(page.length).toBeLessThanOrEqual(1000)
  }
  expect(entries).toBe(5006)
  expect(pages).toBe(6)
})

test('reads a long channel (100,000 messages with SLOW=1) and a thread of 5,000 replies in small pages with small cursors', async () => {
  const kit = await chatKit()
  const channel = kit.channel('random')
  const at = kit.clock.now() - 20 * DAY_MS
  await kit.change('post', { channel, count: HALF, at })
  const { ts } = await kit.change('post', { channel, text: 'the root', at: at + 1000 })
  await kit.change('reply', { channel, thread: ts, count: 5000, at: at + 2000 })
  await kit.change('post', { channel, count: HALF, at: at + 3000 })
  const { known, largest } = await crawlCounting(kit, [channel])

  // And four seeded messages.
  expect(known).toBe(2 * HALF + 1 + 5000 + 4)
  expect(largest.items).toBeLessThanOrEqual(400)
  expect(largest.cursorBytes).toBeLessThan(16 * 1024)
  expect(largest.ledger).toBeLessThanOrEqual(20)
})

test('keeps notes of only a few threads in a channel full of them', async () => {
  const kit = await chatKit()
  const channel = kit.channel('random')
  const at = kit.clock.now() - 3 * DAY_MS
  const room = kit.workspace.channels.get(channel)
  if (room === undefined) throw new Error('there is no such channel')
  const said = { user: kit.workspace.self, text: 'Hello' }
  for (let n = 0; n < 2100; n++) reply(room, { ...said, at: at + 1000, root: post(room, { ...said, at }).ts })
  const follower = newFollower()
  await follow(kit, follower, { selection: [channel] })
  await kit.pass(3_600_000)
  await follow(kit, follower, { selection: [channel] })
  const threads = [...kit.ledger.keys()].filter((key) => key.startsWith('thread/'))
  expect(threads.length).toBeLessThanOrEqual(2000)
})

async function crawlCounting(kit: Awaited<ReturnType<typeof chatKit>>, selection: readonly string[]) {
  const largest = { items: 0, cursorBytes: 0, ledger: 0 }
  const known = new Set<string>()
  let cursor: string | undefined
  for (;;) {
    const page = await teamChatProvider.changes(kit.call, { selection, cursor })
    for (const { id } of page.seen) known.add(id)
    largest.items = Math.max(largest.items, page.seen.length)
    largest.cursorBytes = Math.max(largest.cursorBytes, Buffer.byteLength(page.cursor))
    largest.ledger = Math.max(largest.ledger, page.ledger?.length ?? 0)
    cursor = page.cursor
    if (!page.more) return { known: known.size, largest }
  }
}
