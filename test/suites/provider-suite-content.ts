import { expect, test } from 'vitest'
import type { ProviderSuiteOptions } from './provider-suite.ts'
import { type SmallSync, textOf } from './provider-suite-sync.ts'
import { type SuiteWorld, suiteWorld } from './provider-suite-world.ts'

/** Tests syncing without failures. */
export function contentTests(options: ProviderSuiteOptions): void {
  crawlTests(options)
  changeTests(options)
  oddTests(options)
}

function crawlTests(options: ProviderSuiteOptions): void {
  const { provider } = options
  const { id } = provider.facts

  test(`${id}: identifies the account that consented`, async () => {
    const { call, account } = await suiteWorld(options)
    const found = await provider.identify(call())
    expect(found.id).toBe(account.id)
    expect(found.name.length).toBeGreaterThan(0)
  })

  test(`${id}: syncs everything selected, and nothing else`, async () => {
    const world = await suiteWorld(options)
    expect(world.holds().size).toBeGreaterThan(5)
    const sync = world.sync()
    await sync.follow()
    expectSame(sync, world)
    const pages = sync.pages
    await sync.follow()
    expectSame(sync, world)
    expect(sync.pages - pages).toBeLessThanOrEqual(3)
  })

  test(`${id}: follows edits, additions, moves and deletions`, async () => {
    const world = await suiteWorld(options)
    const sync = world.sync()
    await sync.follow()
    for (const { name, make } of options.edits) {
      await make(world)
      await sync.follow()
      expectSame(sync, world, name)
    }
    await sync.reconcile()
    expectSame(sync, world, 'after a listing')
  })
}

function changeTests(options: ProviderSuiteOptions): void {
  const { id } = options.provider.facts

  test(`${id}: follows simultaneous changes like single ones`, async () => {
    const world = await suiteWorld(options)
    const sync = world.sync()
    await sync.follow()
    for (const { make } of options.edits) await make(world)
    await sync.follow()
    expectSame(sync, world)
  })

  test(`${id}: does not miss changes during a full listing`, async () => {
    const world = await suiteWorld(options)
    const sync = world.sync()
    for (const { make } of options.edits) {
      await sync.step()
      await make(world)
    }
    await sync.follow()
    await sync.follow()
    expectSame(sync, world)
  })

  test(`${id}: lists everything, and finds what changes missed`, async () => {
    const world = await suiteWorld(options)
    const sync = world.sync()
    for (const { make } of options.edits) await make(world)
    const listed = await sync.reconcile()
    expect([...listed].sort()).toEqual([...world.holds().keys()].sort())
    expectSame(sync, world)
  })

  test(`${id}: tolerates pages that are requested twice`, async () => {
    const world = await suiteWorld(options)
    const sync = world.sync({ twice: true })
    await sync.follow()
    for (const { make } of options.edits) await make(world)
    await sync.follow()
    expectSame(sync, world)
  })
}

function oddTests(options: ProviderSuiteOptions): void {
  const { provider, hostile, smallPages } = options
  const { id } = provider.facts

  test(`${id}: gives the same result for any page borders`, async ({ skip }) => {
    skip(smallPages === undefined, 'the provider has no sizes of pages')
    const world = await suiteWorld(options)
    world.around((fetch) => (request) => fetch(smallPages?.(request) ?? request))
    const sync = world.sync()
    await sync.follow()
    expectSame(sync, world)
    for (const { make } of options.edits) await make(world)
    await sync.follow()
    expectSame(sync, world)
  })

  test(`${id}: passes hostile names and texts through unchanged`, async ({ skip }) => {
    skip(hostile === undefined, 'the stand-in has no account of that kind')
    const world = await suiteWorld(options, hostile)
    const sync = world.sync()
    await sync.follow()
    expectSame(sync, world)
  })

  test(`${id}: sends only requests that the provider documents`, async ({ skip }) => {
    skip(options.described === undefined, 'the published description is not here')
    const world = await suiteWorld(options)
    await provider.identify(world.call())
    const sync = world.sync()
    await sync.follow()
    for (const { make } of options.edits) await make(world)
    await sync.follow()
    await sync.reconcile()
    for await (const page of provider.folders?.(world.call(), undefined) ?? []) expect(page.length).toBeGreaterThan(0)
    for await (const page of provider.channels?.(world.call()) ?? []) expect(page.length).toBeGreaterThan(0)
    expect(world.complaints).toEqual([])
  })
}

/** Checks that the ids are equal, and that each item contains its text. */
export function expectSame(sync: SmallSync, world: SuiteWorld, when = ''): void {
  const holds = world.holds()
  expect([...sync.items.keys()].sort(), `ids ${when}`).toEqual([...holds.keys()].sort())
  for (const [id, piece] of holds) {
    const text = textOf(sync.items.get(id)?.content)
    if (piece === undefined) expect(text, `${id} ${when}`).toBeUndefined()
    else expect(text, `${id} ${when}`).toContain(piece)
  }
}
