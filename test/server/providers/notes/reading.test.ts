import { expect, test } from 'vitest'
import { notesProvider } from '../../../../server/providers/notes/notes-provider.ts'
import type { SyncCall } from '../../../../server/providers/port/provider.ts'
import type { Fetch } from '../../../../src/ports.ts'
import type { SuiteWorld } from '../../../suites/provider-suite-world.ts'
import { ADA, BEN, notesWorld, pageTitled, shownPages } from './notes-kit.ts'

function fullCall(world: SuiteWorld): SyncCall {
  return { ...world.call(), ledger: { get: async () => undefined, entries: async () => new Map() } }
}

async function textOf(world: SuiteWorld, title: string): Promise<string> {
  const { parts } = await notesProvider.read(fullCall(world), pageTitled(world.account, title).id)
  return parts.map(({ text }) => text).join('\n')
}

const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? []

test('reads a page block by block with the same text as by Markdown', async () => {
  for (const title of ['Handbook', 'First week', 'Pilot with Northquay', 'How heading is filtered', 'Ideas']) {
    const world = await notesWorld(ADA)
    const whole = await textOf(world, title)
    world.around(withoutMarkdown)
    const walked = await textOf(world, title)
    expect(words(walked), title).toEqual(words(whole))
    expect(walked.length, title).toBeGreaterThan(50)
  }
})

test('places bookmarks and embeds, which Markdown lacks, where they belong', async () => {
  const world = await notesWorld(ADA)
  expect(await textOf(world, 'Ideas')).toMatch(/^https:\/\/boards\.example\/harbourlight\nA mast unit/)
})

test('gives a reason for a page whose text Notion truncated without naming the missing blocks', async () => {
  const world = await notesWorld(ADA)
  const { id } = pageTitled(world.account, 'Handbook')
  const whole = await notesProvider.read(fullCall(world), id)
  world.around((fetch) => async (request) => {
    const reply = await fetch(request)
    if (!request.url.includes('/markdown')) return reply
    return Response.json({ ...((await reply.json()) as object), truncated: true, unknown_block_ids: [] })
  })
  const part = await notesProvider.read(fullCall(world), id)

  expect(whole.cut).toBeUndefined()
  expect(part.cut).toContain('Notion truncated its text')
  expect(part.version).not.toBe(whole.version)
})

test('reads open comments on a page as turns with their author and date, and finds new ones in a listing', async () => {
  const world = await notesWorld(ADA)
  const { id } = pageTitled(world.account, 'Handbook')
  const sync = world.sync()
  await sync.follow()
  const before = sync.items.get(id)
  await world.change('comment', { page: id, author: 'Ben Okafor', text: 'Is this *still* true?' })
  await sync.reconcile()

  const { content } = sync.items.get(id) ?? {}
  expect(content?.parts.slice(0, -1)).toEqual(before?.content?.parts)
  expect(content?.parts.at(-1)).toMatchObject({ speaker: 'Ben Okafor', conversation: id })
  expect(content?.parts.at(-1)?.text).toContain('still')
  expect(content?.version?.startsWith(`${before?.version} `)).toBe(true)
  expect((await notesProvider.read({ ...fullCall(world), reads: OFF }, id)).parts).toEqual(before?.content?.parts)
})

const OFF = { attachmentBytesMax: undefined, comments: false }

const ALL = { ...OFF, comments: true, innerComments: true }

test('reads comments on blocks below a quote of the block, if all comments are to be read', async () => {
  const world = await notesWorld(ADA)
  const page = pageTitled(world.account, 'Handbook')
  const block = page.blocks.find(({ type }) => type === 'paragraph')
  await world.change('comment', { page: page.id, author: 'Ben Okafor', text: 'On the page.' })
  await world.change('comment', { page: page.id, block: block?.id, author: 'Ada Moreau', text: 'Is this still true?' })
  const [, onPage, onBlock, ...more] = (await notesProvider.read({ ...fullCall(world), reads: ALL }, page.id)).parts
  expect(onPage).toMatchObject({ speaker: 'Ben Okafor', text: 'On the page.', conversation: page.id })
  expect(onBlock).toMatchObject({ speaker: 'Ada Moreau', conversation: page.id })
  expect(onBlock?.text).toMatch(/^> \S.*\n\nIs this still true\?$/)
  expect(more).toEqual([])
  expect(
    (await notesProvider.read({ ...fullCall(world), reads: { ...OFF, comments: true } }, page.id)).parts
  ).toHaveLength(2)
})

test('sends at most 50 requests for the comments on blocks of a page, and gives the reason', async () => {
  const world = await notesWorld(ADA)
  const page = pageTitled(world.account, 'Handbook')
  await world.change('append_block', { page: page.id, text: Array(80).fill('- One more.').join('\n') })
  let asked = 0
  world.around((fetch) => (request) => {
    if (request.url.includes('/comments?') || request.url.includes('/children?')) asked += 1
    return fetch(request)
  })
  const { cut } = await notesProvider.read({ ...fullCall(world), reads: ALL }, page.id)
  expect(cut).toBe('only the comments on its first blocks are read')
  expect(asked).toBe(51)
})

test('reads a page whose comments the integration may not read', async () => {
  const world = await notesWorld(ADA)
  const { id } = pageTitled(world.account, 'Handbook')
  world.around((fetch) => (request) => {
    if (!request.url.includes('/v1/comments')) return fetch(request)
    const refused = { object: 'error', status: 403, code: 'restricted_resource', message: 'Insufficient permissions.' }
    return Promise.resolve(Response.json(refused, { status: 403 }))
  })
  const { parts } = await notesProvider.read(fullCall(world), id)
  expect(parts).toHaveLength(1)
})

test('reads blocks that contain themselves once', async () => {
  const world = await notesWorld(BEN)
  const { id } = pageTitled(world.account, 'Bread')
  let asked = 0
  world.around((fetch) => async (request) => {
    if (!request.url.includes('/blocks/')) return await withoutMarkdown(fetch)(request)
    asked += 1
    const own = { object: 'block', id, type: 'toggle', has_children: true, toggle: { rich_text: [] } }
    return Response.json({ object: 'list', results: [own], next_cursor: null, has_more: false })
  })
  expect(await textOf(world, 'Bread')).toBe('Bread')
  expect(asked).toBe(1)
})

test('reads everything, however low the limit of calls is', async () => {
  const world = await notesWorld(BEN)
  let allowed = 0
  world.around((fetch) => (request) => {
    allowed -= 1
    return allowed < 0 ? Promise.resolve(tooMany()) : fetch(request)
  })
  const sync = world.sync()
  for (let count = 0; count < 200 && allowed <= 0; count += 1) {
    allowed = 6
    const failed = await sync.follow().then(
      () => undefined,
      (error: { kind?: string }) => error.kind
    )
    if (failed === undefined) break
    expect(failed).toBe('rate_limited')
  }
  expect([...sync.items.keys()].sort()).toEqual([...shownPages(world.account).keys()].sort())
})

test('does not let a failing page block others, and reads it once it works', async () => {
  const world = await notesWorld(BEN)
  const { id } = pageTitled(world.account, 'Kitchen')
  let broken = true
  world.around(
    (fetch) => (request) =>
      broken && request.url.endsWith(`${id}/markdown`) ? Promise.resolve(failing()) : fetch(request)
  )
  const call = fullCall(world)
  const seen = new Set<string>()
  const ledger = new Map<string, string>()
  const keeping = {
    get: async (key: string) => ledger.get(key),
    entries: async (prefix: string) => entriesOf(ledger, prefix)
  }
  let cursor: string | undefined
  for (let more = true; more; ) {
    const page = await notesProvider.changes({ ...call, ledger: keeping }, { selection: [], cursor })
    for (const item of page.seen) if (item.content !== undefined) seen.add(item.id)
    for (const [key, value] of page.ledger ?? []) value === undefined ? ledger.delete(key) : ledger.set(key, value)
    cursor = page.cursor
    more = page.more
  }
  const all = [...shownPages(world.account).keys()]
  expect(all.filter((one) => !seen.has(one))).toEqual([id])
  broken = false
  const page = await notesProvider.changes({ ...call, ledger: keeping }, { selection: [], cursor })
  expect(page.seen.find((item) => item.id === id)?.content?.parts[0]?.text).toContain('Everything for two')
})

test('keeps a page that Notion refuses with a 400, and the rows of a database that it refuses', async () => {
  const world = await notesWorld(ADA)
  const sync = world.sync()
  await sync.follow()
  const before = [...sync.items.keys()].sort()
  const refused: string[] = []
  world.around((fetch) => (request) => {
    const isRefused = request.method === 'GET' && /\/v1\/(pages|databases)\/[^/]+$/.test(request.url)
    if (!isRefused) return fetch(request)
    refused.push(request.url)
    return Promise.resolve(validationError())
  })
  await sync.follow()
  await sync.follow()

  expect(refused.some((url) => url.includes('/pages/'))).toBe(true)
  expect([...sync.items.keys()].sort()).toEqual(before)
})

function entriesOf(ledger: ReadonlyMap<string, string>, prefix: string): Map<string, string> {
  return new Map([...ledger].filter(([key]) => key.startsWith(prefix)))
}

/** Simulates a server without this call. */
function withoutMarkdown(fetch: Fetch): Fetch {
  return (request) => {
    if (!request.url.endsWith('/markdown')) return fetch(request)
    return Promise.resolve(validationError())
  }
}

function validationError(): Response {
  const refused = { object: 'error', status: 400, code: 'validation_error', message: 'not here' }
  return Response.json(refused, { status: 400 })
}

function tooMany(): Response {
  return Response.json({ object: 'error', code: 'rate_limited' }, { status: 429, headers: { 'retry-after': '1' } })
}

function failing(): Response {
  return Response.json({ object: 'error', code: 'internal_server_error' }, { status: 500 })
}
