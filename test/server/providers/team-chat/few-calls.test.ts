import { expect, test } from 'vitest'
import { createPacedFetch } from '../../../../server/providers/http/create-paced-fetch.ts'
import type { ProviderFailure } from '../../../../server/providers/port/provider-failure.ts'
import { teamChatProvider } from '../../../../server/providers/team-chat/team-chat-provider.ts'
import type { Fetch } from '../../../../src/ports.ts'
import { type ChatKit, chatKit, follow, newFollower, written } from './chat-kit.ts'

const MINUTE_MS = 60_000

/** Allows some calls of a method per minute, then returns 429 until the minute is over, like Slack. */
function limitedTo(perMinute: number, now: () => number) {
  const counts = new Map<string, { minute: number; calls: number }>()
  const refused: string[] = []
  const around =
    (fetch: Fetch): Fetch =>
    async (request) => {
      const method = new URL(request.url).pathname
      const minute = Math.floor(now() / MINUTE_MS)
      const count = counts.get(method)
      const calls = count?.minute === minute ? count.calls + 1 : 1
      counts.set(method, { minute, calls })
      if (calls <= perMinute) return await fetch(request)
      refused.push(method)
      const wait = Math.ceil(((minute + 1) * MINUTE_MS - now()) / 1000)
      return Response.json(
        { ok: false, error: 'ratelimited' },
        { status: 429, headers: { 'retry-after': String(wait) } }
      )
    }
  return { around, refused }
}

/** Follows to the end, and waits as long as demanded each time. */
async function followPatiently(kit: ChatKit, selection: readonly string[]) {
  const follower = newFollower()
  let waits = 0
  for (; waits < 500; waits++) {
    try {
      await follow(kit, follower, { selection })
      return { follower, waits }
    } catch (error) {
      const { kind, retryAfterMs = 0 } = error as ProviderFailure
      expect(kind).toBe('rate_limited')
      expect(retryAfterMs).toBeGreaterThan(0)
      await kit.pass(retryAfterMs)
    }
  }
  throw new Error('never ready')
}

test('reads everything with one call of each method per minute', async () => {
  let kit: ChatKit | undefined
  const limit = limitedTo(1, () => kit?.clock.now() ?? 0)
  kit = await chatKit({ around: limit.around })
  const selection = ['general', 'pilot-northquay', 'firmware'].map(kit.channel)

  const { follower, waits } = await followPatiently(kit, selection)

  expect([...follower.known.keys()].sort()).toEqual([...written(kit, selection).keys()].sort())
  expect(waits).toBeGreaterThan(3)
})

test('fetches names individually, however low the limit of calls is', async () => {
  let kit: ChatKit | undefined
  const limit = limitedTo(2, () => kit?.clock.now() ?? 0)
  kit = await chatKit({ around: (fetch) => limit.around(withoutLists(fetch)) })
  const channel = kit.channel('random')
  for (let n = 0; n < 9; n++) await kit.change('add_person', { handle: `p${n}`, name: `Person ${n}` })
  for (let n = 0; n < 9; n++) await kit.change('post', { channel, user: `p${n}`, text: `from ${n}` })

  const { follower } = await followPatiently(kit, [channel])

  const speakers = [...follower.known.values()].map(({ content }) => content?.parts[0]?.speaker)
  for (let n = 0; n < 9; n++) expect(speakers).toContain(`Person ${n}`)
})

test('does not call a method before its wait is over', async () => {
  let kit: ChatKit | undefined
  const limit = limitedTo(1, () => kit?.clock.now() ?? 0)
  const pace = new Map<string, number>()
  const clock = { now: () => kit?.clock.now() ?? 0, ticks: () => kit?.clock.ticks() ?? 0, wait: async () => undefined }
  kit = await chatKit({ around: (fetch) => createPacedFetch(limit.around(fetch), { clock, pace, paceBy: 'path' }) })
  const selection = ['general', 'pilot-northquay'].map(kit.channel)

  const { follower } = await followPatiently(kit, selection)
  const refused = limit.refused.length
  const from = { selection, cursor: undefined }
  for (let n = 0; n < 20; n++) await teamChatProvider.list(kit.call, from).catch(() => undefined)

  expect(follower.known.size).toBe(written(kit, selection).size)
  // At most one call per method learned about the limit; the others knew.
  expect(limit.refused.length).toBeLessThanOrEqual(refused + 5)
})

/** Simulates a workspace that is larger than its list of people. */
function withoutLists(fetch: Fetch): Fetch {
  return async (request) => {
    if (!request.url.includes('/users.list')) return await fetch(request)
    return Response.json({ ok: true, members: [], response_metadata: { next_cursor: '' } })
  }
}
