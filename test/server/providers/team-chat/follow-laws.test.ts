import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Fetch } from '../../../../src/ports.ts'
import { type ChatKit, chatKit, follow, newFollower, texts, written } from './chat-kit.ts'

const HOUR_MS = 3_600_000
const CHANNELS = ['general', 'firmware', 'leads'] as const
const RUNS = process.env.SLOW === '1' ? 1000 : 15

type Reply = { kind: 'reply'; channel: string; pick: number; count: number; broadcast: boolean }

type Deed =
  | { kind: 'post' | 'edit' | 'delete' | 'join' | 'bot'; channel: string; pick: number }
  | Reply
  | { kind: 'sync'; hours: number }
  | { kind: 'fault'; fault: string; operation: string; after: number }

const channel = fc.constantFrom(...CHANNELS)
const pick = fc.nat(1000)
const size = fc.integer({ min: 1, max: 7 })
/** `hours` is the longest time between two syncs. */
const deedWithin = (hours: number): fc.Arbitrary<Deed> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('post' as const), channel, pick }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('reply' as const),
        channel,
        pick,
        count: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(30)),
        broadcast: fc.boolean()
      })
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('edit' as const, 'delete' as const), channel, pick }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('join' as const, 'bot' as const), channel, pick }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('sync' as const), hours: fc.integer({ min: 0, max: hours }) })
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('fault' as const),
        fault: fc.constantFrom('rate_limited', 'server_error', 'overloaded', 'cut_body', 'html', 'repeat_cursor'),
        operation: fc.constantFrom(
          'conversations.history',
          'conversations.replies',
          'conversations.info',
          'users.list'
        ),
        after: fc.nat(6)
      })
    }
  )

test('follows messages, replies, edits and deletions with pages of any size and through any fault', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deedWithin(1), { maxLength: 25 }), size, async (deeds, pageSize) => {
      const storm = await stormOver(deeds, pageSize)
      await follow(storm.kit, storm.follower, storm)
      expect(sorted(texts(storm.follower))).toEqual(sorted(written(storm.kit, storm.selection)))
    }),
    { numRuns: RUNS }
  )
}, 600_000)

test('never removes existing messages after any pause, and completes the rest with a listing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deedWithin(100), { maxLength: 25 }), size, async (deeds, pageSize) => {
      const storm = await stormOver(deeds, pageSize)
      await follow(storm.kit, storm.follower, { ...storm, how: 'list' })
      expect(sorted(texts(storm.follower))).toEqual(sorted(written(storm.kit, storm.selection)))
    }),
    { numRuns: RUNS }
  )
}, 600_000)

/** Runs all events. After each sync, everything that was known and still exists must be known. */
async function stormOver(deeds: readonly Deed[], pageSize: number) {
  const kit = await chatKit({ around: (fetch) => withPagesOf(pageSize, fetch) })
  const selection = CHANNELS.map(kit.channel)
  const follower = newFollower()
  const young = new Map<string, string[]>()
  for (const one of deeds) {
    if (one.kind !== 'sync') await carryOut(kit, young, one)
    else {
      await kit.pass(one.hours * HOUR_MS)
      const known = [...follower.known.keys()]
      await follow(kit, follower, { selection, patience: 50 })
      const there = written(kit, selection)
      expect(known.filter((id) => there.has(id) && !follower.known.has(id))).toEqual([])
    }
  }
  await kit.control('DELETE', '/faults')
  return { kit, follower, selection }
}

test('finds changes in a listing that are older than what is reread', async () => {
  const kit = await chatKit({ around: (fetch) => withPagesOf(3, fetch) })
  const selection = CHANNELS.map(kit.channel)
  const follower = newFollower()
  await follow(kit, follower, { selection })
  for (const id of selection) {
    for (const { ts } of [...(kit.workspace.channels.get(id)?.timeline ?? [])].filter((_, n) => n % 2 === 0)) {
      await kit.change('delete', { channel: id, ts })
    }
    for (const [root] of kit.workspace.channels.get(id)?.threads ?? [])
      await kit.change('reply', { channel: id, thread: root, text: 'late' })
  }

  await follow(kit, follower, { selection, how: 'list' })

  expect(sorted(texts(follower))).toEqual(sorted(written(kit, selection)))
})

async function carryOut(
  kit: ChatKit,
  young: Map<string, string[]>,
  deed: Exclude<Deed, { kind: 'sync' }>
): Promise<void> {
  if (deed.kind === 'fault') {
    const { fault: kind, operation, after } = deed
    await kit.control('POST', '/faults', { provider: 'team_chat', kind, operation, after })
    return
  }
  const { channel: name, kind } = deed
  const known = young.get(name) ?? []
  young.set(name, known)
  const ts = known[deed.pick % Math.max(1, known.length)]
  if (kind === 'post' || kind === 'bot' || ts === undefined) {
    const posted = await kit.change('post', { channel: name, text: `post ${deed.pick}`, bot: kind === 'bot' })
    if (kind !== 'bot') known.push(String(posted.ts))
  } else if (kind === 'join') await kit.change('join', { channel: name })
  else if (kind === 'edit') await kit.change('edit', { channel: name, ts, text: `edited ${deed.pick}` })
  else if (kind === 'delete') {
    await kit.change('delete', { channel: name, ts })
    known.splice(known.indexOf(ts), 1)
  } else if (deed.kind === 'reply') await answer(kit, known, { name, ts, deed })
}

async function answer(
  kit: ChatKit,
  known: string[],
  { name, ts, deed }: { name: string; ts: string; deed: Reply }
): Promise<void> {
  const threads = [...(kit.workspace.channels.get(kit.channel(name))?.threads ?? [])]
  const root = threads.find(([, replies]) => replies.some((one) => one.ts === ts))?.[0] ?? ts
  const { count, broadcast } = deed
  const { all } = await kit.change('reply', {
    channel: name,
    thread: root,
    text: `reply ${deed.pick}`,
    count,
    broadcast
  })
  known.push(...(all as string[]))
}

/** Returns fewer messages than requested, as Slack does for some apps. */
function withPagesOf(size: number, fetch: Fetch): Fetch {
  return (request) => {
    const url = new URL(request.url)
    if (/history|replies/.test(url.pathname)) url.searchParams.set('limit', String(size))
    return fetch(new Request(url, request))
  }
}

/** Compares only texts of the storm. Seeded texts have markup, which has its own tests. */
function sorted(all: ReadonlyMap<string, string>): string[] {
  return [...all].map(([id, text]) => (/^(post|reply|edited) /.test(text) ? `${id} ${text}` : id)).sort()
}
