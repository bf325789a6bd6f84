import { expect, test } from 'vitest'
import { teamChatProvider } from '../../../../server/providers/team-chat/team-chat-provider.ts'
import type { Fetch } from '../../../../src/ports.ts'
import { chatKit, follow, newFollower, written } from './chat-kit.ts'

type Page = { ok: boolean; messages: { ts: string }[]; has_more: boolean; response_metadata?: { next_cursor: string } }

/** Pages of two, and a method's replies as somebody else makes them. */
function odd(method: string, change: (page: Page, url: URL) => unknown) {
  return (fetch: Fetch): Fetch =>
    async (request) => {
      const url = new URL(request.url)
      if (url.searchParams.has('limit')) url.searchParams.set('limit', '2')
      const response = await fetch(new Request(url, request))
      if (!url.pathname.endsWith(method)) return response
      return Response.json(change((await response.json()) as Page, url))
    }
}

async function followed(around: (fetch: Fetch) => Fetch) {
  const kit = await chatKit({ around })
  const { ts } = await kit.change('post', { channel: 'random' })
  await kit.change('reply', { channel: 'random', thread: ts, count: 9 })
  const selection = [kit.channel('random')]
  const follower = newFollower()
  await follow(kit, follower, { selection, patience: 0 })
  return { known: [...follower.known.keys()].sort(), all: [...written(kit, selection).keys()].sort() }
}

test('a cursor of a thread that Slack does not know any more is done without', async () => {
  const invalid = { ok: false, error: 'invalid_cursor' }
  const { known, all } = await followed(
    odd('replies', (page, url) => (url.searchParams.has('cursor') ? invalid : page))
  )
  expect(known).toEqual(all)
})

test('a list of people whose cursor Slack does not know any more does not begin everything anew', async () => {
  const around = odd('users.list', (page, url) =>
    url.searchParams.has('cursor') ? { ok: false, error: 'invalid_cursor' } : page
  )
  const { known, all } = await followed(around)
  expect(known).toEqual(all)
})

test('a thread whose pages name no cursor is read by time', async () => {
  const { known, all } = await followed(odd('replies', ({ response_metadata: _, ...page }) => page))
  expect(known).toEqual(all)
})

test('a thread whose root comes with every page, or newest first, is read all the same', async () => {
  const roots = new Map<string, { ts: string }>()
  const around = odd('replies', (page, url) => {
    const root = roots.get(url.searchParams.get('ts') ?? '') ?? page.messages[0]
    if (root !== undefined) roots.set(url.searchParams.get('ts') ?? '', root)
    const others = page.messages.filter(({ ts }) => ts !== root?.ts).reverse()
    return { ...page, messages: [...others, ...(root ? [root] : [])] }
  })
  const { known, all } = await followed(around)
  expect(known).toEqual(all)
})

test('an empty page in the middle of a history is gone on from by its cursor', async () => {
  let empty = 0
  const around = odd('history', (page, url) => {
    if (page.messages.length === 0 || url.searchParams.has('cursor') || !page.has_more) return page
    empty += 1
    return { ...page, messages: [], response_metadata: { next_cursor: nextTo(page.messages[0]?.ts) } }
  })
  const { known, all } = await followed(around)
  expect(known).toEqual(all)
  expect(empty).toBeGreaterThan(0)
})

test('more that nothing leads to breaks the contract and does not turn in circles', async () => {
  const endless = { ok: true, messages: [], has_more: true, response_metadata: { next_cursor: 'same' } }
  for (const method of ['history', 'replies'])
    await expect(followed(odd(method, () => endless)), method).rejects.toMatchObject({ kind: 'contract_broken' })
})

test('channels whose pages lead back to themselves break the contract', async () => {
  const around = odd('conversations.list', (page) => ({ ...page, response_metadata: { next_cursor: 'again' } }))
  const answering =
    (fetch: Fetch): Fetch =>
    (request) => {
      const url = new URL(request.url)
      url.searchParams.delete('cursor')
      return around(fetch)(new Request(url, request))
    }
  const { call } = await chatKit({ around: answering })
  const all = async () => {
    for await (const page of teamChatProvider.channels?.(call) ?? []) expect(page.length).toBeGreaterThan(0)
  }
  await expect(all()).rejects.toMatchObject({ kind: 'contract_broken' })
})

test('times, ids and numbers of the wrong shape break the contract', async () => {
  const wrong = [
    { ts: '1.2' },
    { ts: 17 },
    { ts: '1777636800.000000', user: 7 },
    { ts: '1777636800.000000', thread_ts: 'x' },
    {}
  ]
  for (const message of wrong) {
    const around = odd('history', (page) => ({ ...page, messages: [message] }))
    await expect(followed(around)).rejects.toMatchObject({ kind: 'contract_broken' })
  }
  const many = Array.from({ length: 1001 }, () => ({ ts: '1777636800.000000' }))
  await expect(followed(odd('history', (page) => ({ ...page, messages: many })))).rejects.toMatchObject({
    kind: 'contract_broken'
  })
})

function nextTo(ts = ''): string {
  return btoa(`next_ts:${ts.replace('.', '')}`)
}
