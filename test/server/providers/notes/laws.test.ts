import fc from 'fast-check'
import { expect, test } from 'vitest'
import { notesProvider } from '../../../../server/providers/notes/notes-provider.ts'
import { ProviderFailure } from '../../../../server/providers/port/provider-failure.ts'
import { isVisible, type NotePage, pageAbove, type Workspace } from '../../../../server/sandbox/notes/content.ts'
import { textOf } from '../../../suites/provider-suite-sync.ts'
import type { SuiteWorld } from '../../../suites/provider-suite-world.ts'
import { BEN, notesWorld, pageTitled, shownPages, withSmallPages } from './notes-kit.ts'

const RUNS = process.env.SLOW ? 400 : 10
const LENGTH = process.env.SLOW ? 60 : 25

/** An event: `at` and `to` select existing objects, and `wait` is the time that passes before. */
type Happening = { what: (typeof WHAT)[number]; at: number; to: number; wait: number }

const WHAT = [
  ...(['add', 'hide', 'edit', 'append', 'trash', 'restore', 'move', 'table', 'row', 'unshare', 'share'] as const),
  ...(['step', 'step', 'step', 'follow', 'fault', 'lag'] as const)
] as const

const FAULTS = [
  { kind: 'rate_limited', retry_after: 3 },
  { kind: 'server_error', status: 503 },
  { kind: 'cut_body' },
  { kind: 'html' },
  { kind: 'wrong_shape', operation: 'retrieve-page-markdown' },
  { kind: 'server_error', operation: 'retrieve-page-markdown', times: 7 },
  { kind: 'rate_limited', operation: 'retrieve-a-page', times: 2 },
  { kind: 'repeat_cursor' }
]

const happening: fc.Arbitrary<Happening> = fc.record({
  what: fc.constantFrom(...WHAT),
  at: fc.nat(200),
  to: fc.nat(200),
  wait: fc.constantFrom(0, 0, 1000, 61_000, 3_600_000, 200_000_000)
})

test('knows exactly what is shared two quiet passes after any events', async () => {
  const storm = fc.asyncProperty(
    fc.array(happening, { maxLength: LENGTH }),
    fc.boolean(),
    fc.boolean(),
    async (happenings, small, early) => {
      const world = await notesWorld(BEN)
      if (small) world.around((fetch) => (request) => fetch(withSmallPages(request)))
      const sync = world.sync()
      if (early) await sync.follow()
      for (const [count, one] of happenings.entries()) {
        await world.kit.clock.pass(one.wait)
        if (one.what === 'step') await survived(sync.step())
        else if (one.what === 'follow') await survived(sync.follow())
        else await happens(world, one, `Word ${count}.`)
      }
      await world.kit.control('DELETE', '/faults')
      await world.signInAgain()
      await sync.follow()
      await sync.follow()
      const shown = shownPages(world.account)
      const tellable = (id: string) => shown.has(id) || !isTrashUnseen(world, id)
      expect([...sync.items.keys()].filter(tellable).sort()).toEqual([...shown.keys()].sort())
      for (const [id, piece] of shown) expect(textOf(sync.items.get(id)?.content)).toContain(piece)
      const listed = await sync.reconcile()
      expect([...listed].filter(tellable).sort()).toEqual([...shown.keys()].sort())
    }
  )
  await fc.assert(storm, { numRuns: RUNS })
})

test('no longer lists a row that was moved out of sight, and reports it as gone when looked up', async () => {
  const world = await notesWorld(BEN)
  const sync = world.sync()
  await sync.follow()
  const { id } = pageTitled(world.account, 'Locus iste')
  expect(sync.items.has(id)).toBe(true)
  await world.change('move', { page: id })
  await sync.follow()
  expect(await sync.reconcile()).not.toContain(id)
  const ledger = { get: async () => undefined, entries: async () => new Map() }
  await expect(notesProvider.read({ ...world.call(), ledger }, id)).rejects.toMatchObject({ kind: 'item_gone' })
})

test('removes a page that was moved into a row whose database was deleted before a pass saw it', async () => {
  const world = await notesWorld(BEN)
  const sync = world.sync()
  await sync.follow()
  const { id } = pageTitled(world.account, 'Jollof')
  const { databases } = world.account.content as Workspace
  await world.change('move', { page: id, to: pageTitled(world.account, 'Sicut cervus').id })
  await world.change('trash', { id: [...databases.keys()][0] })
  await sync.follow()
  expect([...sync.items.keys()].sort()).toEqual([...shownPages(world.account).keys()].sort())
  expect(sync.items.has(id)).toBe(false)
})

test('removes a row that was read before its data source was found and whose database was deleted in between', async () => {
  const world = await notesWorld(BEN)
  world.around((fetch) => (request) => fetch(withSmallPages(request)))
  const sync = world.sync()
  const { databases } = world.account.content as Workspace
  await world.order({ kind: 'repeat_cursor' })
  await survived(sync.step())
  await world.change('trash', { id: [...databases.keys()][0] })
  await world.kit.control('DELETE', '/faults')
  await sync.follow()
  await sync.follow()
  expect([...sync.items.keys()].sort()).toEqual([...shownPages(world.account).keys()].sort())
})

test('follows a pass whose cursor is lost by a full one, even at the same time', async () => {
  const world = await notesWorld(BEN)
  const shown = [...shownPages(world.account).keys()].sort()
  const sync = world.sync()
  await world.order({ kind: 'rate_limited', operation: 'retrieve-a-page' })
  expect((await sync.step()).more).toBe(true)
  sync.cursor = undefined
  sync.items.clear()
  await sync.follow()
  expect([...sync.items.keys()].sort()).toEqual(shown)
  await world.order({ kind: 'rate_limited', operation: 'query-data-source', times: 9 })
  await expect(sync.reconcile()).rejects.toMatchObject({ kind: 'rate_limited' })
  await world.kit.control('DELETE', '/faults')
  expect([...(await sync.reconcile())].sort()).toEqual(shown)
})

test('reads a second edit within one minute, however far our clock is ahead', async () => {
  const world = await notesWorld(BEN)
  world.around((fetch) => async (request) => {
    const { status, headers, body } = await fetch(request)
    const date = new Date(world.kit.clock.now()).toUTCString()
    return new Response(body, { status, headers: { ...Object.fromEntries(headers), date } })
  })
  const clock = { ...world.kit.clock, now: () => world.kit.clock.now() + 3_600_000 }
  const sync = world.sync({ call: () => world.call({ clock }) })
  const { id } = pageTitled(world.account, 'Bread')
  await world.kit.clock.pass(60_000 - (world.kit.clock.now() % 60_000))
  for (const text of ['First edit.', 'Second edit.']) {
    await world.kit.control('POST', `/accounts/notes/${BEN}/edit_page`, { page: id, text })
    await sync.follow()
    expect(textOf(sync.items.get(id)?.content)).toContain(text)
  }
})

test('looks up children whose kind is unknown in a listing', async () => {
  const world = await notesWorld(BEN)
  const sync = world.sync()
  await sync.follow()
  const { id } = pageTitled(world.account, 'Style')
  for (const key of sync.ledger.keys()) if (new RegExp(`:(page|watch):${id}$`).test(key)) sync.ledger.delete(key)
  expect(await sync.reconcile()).toContain(id)
})

/** Ignores the failure of a provider. Any other error is a bug. */
async function survived(acting: Promise<unknown>): Promise<void> {
  await acting.catch((error: unknown) => expect(error).toBeInstanceOf(ProviderFailure))
}

async function happens(world: SuiteWorld, { what, at, to }: Happening, text: string): Promise<void> {
  const { pages, databases } = world.account.content as Workspace
  const page = chosen([...pages.values()], at)?.id ?? ''
  const other =
    chosen(
      [...pages.values()].filter(({ trashed }) => !trashed),
      to
    )?.id ?? ''
  const table = chosen([...databases.values()], at)?.id ?? ''
  const isRow = pages.get(page)?.parent.in === 'source'
  const orders: Readonly<Record<string, readonly [string, unknown]>> = {
    add: ['add_page', { title: text, text, ...(to % 4 > 0 && { parent: other }) }],
    hide: ['add_page', { title: text, text, parent: other, listed: false }],
    edit: ['edit_page', { page, text }],
    append: ['append_block', { page, text }],
    trash: ['trash', { id: to % 5 === 0 ? table : page }],
    restore: ['restore', { id: trashedIn(world, at) ?? page }],
    // A row that is moved out of sight is only missing from listings; see below.
    move: ['move', { page: isRow ? '' : page, ...(to % 4 > 0 && { to: other }) }],
    table: ['add_database', { parent: other, title: text }],
    row: ['add_row', { database: table, title: text, text }],
    unshare: ['unshare', { id: page }],
    // A page that search omits is found through its parent. If only the page is shared, no request returns it.
    share: ['share', { id: pages.get(page)?.listed ? page : '' }]
  }
  if (what === 'fault') await world.order({ ...FAULTS[at % FAULTS.length], after: to % 6 })
  else if (what === 'lag') await world.order({ kind: 'lag', value: 1 + (to % 5), times: 1 + (at % 4) })
  else await ordered(world, orders[what])
}

/**
 * Makes a change without advancing time, unlike `world.change`. Impossible changes, such as moving a page into itself,
 * are ignored.
 */
async function ordered(world: SuiteWorld, order: readonly [string, unknown] | undefined): Promise<void> {
  const [name, input] = order ?? ['', {}]
  await world.kit.control('POST', `/accounts/notes/${world.account.id}/${name}`, input).catch((error: unknown) => {
    expect(String(error)).toMatch(/ 422 /)
  })
}

/**
 * Reports whether a shared page is in one that is not shared. Nothing then reveals that the parent is in the trash: the
 * page does not mention it, and search is not exhaustive.
 */
function isTrashUnseen({ account }: SuiteWorld, id: string): boolean {
  const workspace = account.content as Workspace
  const page = workspace.pages.get(id)
  if (page === undefined || !isVisible(workspace, page)) return false
  for (let at: NotePage | undefined = page; at !== undefined && !at.trashed; at = pageAbove(workspace, at.parent)) {
    const above = pageAbove(workspace, at.parent)
    if (above !== undefined && !isVisible(workspace, above)) return true
    if (at.parent.in === 'source' && workspace.databases.get(at.parent.database)?.trashed) return false
  }
  return false
}

function trashedIn({ account }: SuiteWorld, at: number): string | undefined {
  const { pages, databases } = account.content as Workspace
  return chosen(
    [...pages.values(), ...databases.values()].filter(({ trashed }) => trashed),
    at
  )?.id
}

function chosen<T>(from: readonly T[], at: number): T | undefined {
  return from[at % Math.max(1, from.length)]
}
