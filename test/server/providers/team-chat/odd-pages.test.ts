import { expect, test } from 'vitest'
import { teamChatProvider } from '../../../../server/providers/team-chat/team-chat-provider.ts'
import type { Fetch } from '../../../../src/ports.ts'
import { chatKit, follow, newFollower, written } from './chat-kit.ts'

type Page = { ok: boolean; messages: { ts: string }[]; has_more: boolean; response_metadata?: { next_cursor: string } }

/** Uses pages of two, and replaces a method's replies. */
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

test('continues without a thread cursor that Slack no longer knows', async () => {
  const invalid = { ok: false, error: 'invalid_cursor' }
  const { known, all } = await followed(
    odd('replies', (page, url) => (url.searchParams.has('cursor') ? invalid : page))
  )
  expect(known).toEqual(all)
})

test('continues when Slack no longer knows the cursor of the people list', async () => {
  const around = odd('users.list', (page, url) =>
    url.searchParams.has('cursor') ? { ok: false, error: 'invalid_cursor' } : page
  )
  const { known, all } = await followed(around)
  expect(known).toEqual(all)
})

test('reads a thread by time if its pages have no cursor', async () => {
  const { known, all } = await followed(odd('replies', ({ response_metadata: _, ...page }) => page))
  expect(known).toEqual(all)
})

test('reads a thread whose root is on every page, or whose order is reversed', async () => {
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

test('continues by the cursor after an empty page of history', async () => {
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

test('treats more results without a way to them as a broken contract', async () => {
  const endless = { ok: true, messages: [], has_more: true, response_metadata: { next_cursor: 'same' } }
  for (const method of ['history', 'replies'])
    await expect(followed(odd(method, () => endless)), method).rejects.toMatchObject({ kind: 'contract_broken' })
})

test('treats channel pages that lead to themselves as a broken contract', async () => {
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

test('treats malformed times, ids and numbers as a broken contract', async () => {
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
