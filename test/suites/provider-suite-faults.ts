import { expect, test } from 'vitest'
import { type FailureKind, ProviderFailure } from '../../server/providers/port/provider-failure.ts'
import type { ProviderSuiteOptions } from './provider-suite.ts'
import { expectSame } from './provider-suite-content.ts'
import { type SuiteWorld, suiteWorld } from './provider-suite-world.ts'

type Trouble = { fault: Record<string, unknown>; kinds: readonly FailureKind[]; retryAfterMs?: number }

/** Each fault with the expected failure. */
const TROUBLES: readonly Trouble[] = [
  { fault: { kind: 'rate_limited', retry_after: 7 }, kinds: ['rate_limited'], retryAfterMs: 7000 },
  { fault: { kind: 'rate_limited' }, kinds: ['rate_limited'] },
  { fault: { kind: 'server_error', status: 500 }, kinds: ['transient'] },
  { fault: { kind: 'server_error', status: 502 }, kinds: ['transient'] },
  { fault: { kind: 'overloaded' }, kinds: ['transient', 'rate_limited'] },
  { fault: { kind: 'cut_body' }, kinds: ['transient', 'contract_broken'] },
  { fault: { kind: 'html' }, kinds: ['contract_broken', 'transient'] },
  { fault: { kind: 'html', status: 502 }, kinds: ['transient'] },
  { fault: { kind: 'wrong_shape' }, kinds: ['contract_broken'] },
  { fault: { kind: 'expired_token' }, kinds: ['auth_expired'] },
  { fault: { kind: 'dead_grant' }, kinds: ['auth_expired', 'grant_dead'] },
  { fault: { kind: 'big' }, kinds: ['item_permanent', 'contract_broken', 'transient'] }
]

const NO_CURSORS = ['', 'x', '{}', '[]', 'null', '{"v":99}', '\u0000\u0001', '{"v":1', 'x'.repeat(70_000)]

/** Tests syncing with failures, and continuing after them. */
export function faultTests(options: ProviderSuiteOptions): void {
  troubleTests(options)
  waitingTests(options)
  missingTests(options)
  listingTests(options)
  readingTests(options)
  lookUpTests(options)
}

function troubleTests(options: ProviderSuiteOptions): void {
  const { provider, listing } = options
  const { id } = provider.facts

  for (const { fault, kinds, retryAfterMs } of TROUBLES)
    test(`${id}: reports ${JSON.stringify(fault)} as ${kinds.join(' or ')}, and loses nothing`, async () => {
      const world = await suiteWorld({ ...options, described: undefined })
      await world.order({ ...fault, operation: listing })
      const sync = world.sync()
      const failure = await failureOf(sync.follow())
      expect(kinds).toContain(failure.kind)
      expect(failure.retryAfterMs).toBe(retryAfterMs)
      await goOn(world)
      await sync.follow()
      expectSame(sync, world)
    })
}

function waitingTests(options: ProviderSuiteOptions): void {
  const { provider, listing } = options
  const { id } = provider.facts

  test(`${id}: gives up on a reply that does not arrive`, async () => {
    const world = await suiteWorld({ ...options, described: undefined })
    await world.order({ kind: 'timeout', operation: listing })
    const sync = world.sync()
    const failing = failureOf(sync.follow())
    for (let count = 0; count < 50; count += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      await world.kit.clock.pass(10_000)
    }
    expect((await failing).kind).toBe('transient')
    await world.signInAgain()
    await sync.follow()
    expectSame(sync, world)
  })

  test(`${id}: stops when aborted, even in the middle`, async () => {
    const world = await suiteWorld({ ...options, described: undefined })
    const reason = new Error('called off')
    const from = { selection: world.selection, cursor: undefined }
    const ledger = { get: async () => undefined, entries: async () => new Map() }
    const call = { ...world.call({ signal: AbortSignal.abort(reason) }), ledger }
    await expect(provider.changes(call, from)).rejects.toBe(reason)
    await expect(provider.identify(call)).rejects.toBe(reason)

    await world.order({ kind: 'timeout' })
    const middle = new AbortController()
    const asked = provider.changes({ ...call, signal: middle.signal }, from)
    setImmediate(() => middle.abort(reason))
    await expect(asked).rejects.toBe(reason)
  })
}

/** The number of the call in a full sync that meets the fault. */
const CALLS = [0, 1, 2, 3, 4, 6, 9, 14]

function missingTests(options: ProviderSuiteOptions): void {
  const { id } = options.provider.facts

  for (const kind of ['html', 'server_error'])
    test(`${id}: deletes nothing after a 404 that does not come from the provider, as ${kind}`, async () => {
      const world = await suiteWorld({ ...options, described: undefined })
      const sync = world.sync()
      await sync.follow()
      const held = new Set(sync.items.keys())
      for (const after of CALLS) {
        // Everything is listed and read again.
        sync.cursor = undefined
        for (const item of sync.items.values()) item.version = undefined
        await world.order({ kind, status: 404, after })
        await sync.follow().catch((error: unknown) => expect(kindOf(error)).toBe('transient'))
        await world.kit.control('DELETE', '/faults')
        expect(
          [...held].filter((one) => !sync.items.has(one)),
          `after ${after} calls`
        ).toEqual([])
      }
      await sync.follow()
      await sync.reconcile()
      expectSame(sync, world)
    })
}

function listingTests(options: ProviderSuiteOptions): void {
  const { provider, listing } = options
  const { id } = provider.facts

  test(`${id}: loses nothing after a lagging listing`, async () => {
    const world = await suiteWorld({ ...options, described: undefined })
    const sync = world.sync()
    await world.order({ kind: 'lag', value: 2, times: 3 })
    for (const { make } of options.edits) {
      await make(world)
      await sync.follow()
    }
    await world.kit.control('DELETE', '/faults')
    await sync.follow()
    await sync.reconcile()
    expectSame(sync, world)
  })

  test(`${id}: does not loop on a repeated cursor`, async () => {
    const world = await suiteWorld({ ...options, described: undefined })
    await world.order({ kind: 'repeat_cursor', operation: listing, times: 5 })
    const sync = world.sync()
    await sync.follow().catch((error: unknown) => expect(kindOf(error)).toBe('contract_broken'))
    await world.kit.control('DELETE', '/faults')
    await sync.follow()
    expectSame(sync, world)
  })

  test(`${id}: reports an unknown cursor as invalid`, async () => {
    const world = await suiteWorld(options)
    const ledger = { get: async () => undefined, entries: async () => new Map() }
    const call = { ...world.call(), ledger }
    for (const cursor of NO_CURSORS) {
      const from = { selection: world.selection, cursor }
      expect((await failureOf(provider.changes(call, from))).kind).toBe('cursor_invalid')
      expect((await failureOf(provider.list(call, from))).kind).toBe('cursor_invalid')
    }
  })
}

function readingTests(options: ProviderSuiteOptions): void {
  const { provider } = options
  const { id } = provider.facts

  test(`${id}: reports a deleted item as gone, and other failures by their kind`, async ({ skip }) => {
    skip(options.reading === undefined, 'its pages hold contents')
    const world = await suiteWorld({ ...options, described: undefined })
    const ledger = { get: async () => undefined, entries: async () => new Map() }
    const call = { ...world.call(), ledger }
    const [known = ''] = [...world.holds()].find(([, piece]) => piece !== undefined) ?? []
    expect((await failureOf(provider.read(call, 'x0'))).kind).toBe('item_gone')
    for (const { fault, kinds } of TROUBLES.slice(0, 5)) {
      await world.order({ ...fault, operation: options.reading })
      expect(kinds).toContain((await failureOf(provider.read(call, known))).kind)
    }
    expect((await provider.read(call, known)).parts.length).toBeGreaterThan(0)
  })
}

function lookUpTests(options: ProviderSuiteOptions): void {
  const { provider } = options
  const { id } = provider.facts

  test(`${id}: deletes no existing items after a lagging listing in a resync or a comparison`, async () => {
    const world = await suiteWorld({ ...options, described: undefined })
    const sync = world.sync()
    await sync.follow()
    for (const value of [1, 3, 11, 40]) {
      await world.order({ kind: 'lag', value, times: 100 })
      await sync.resync()
      expectSame(sync, world, `after a resync with a lag of ${value}`)
      await sync.reconcile()
      expectSame(sync, world, `after a listing with a lag of ${value}`)
      await world.kit.control('DELETE', '/faults')
    }
    for (const { name, make } of options.edits) {
      await make(world)
      await sync.follow()
      expectSame(sync, world, name)
    }
  })

  test(`${id}: looks up unlisted items by id: finds existing ones, and reports others as absent`, async () => {
    const world = await suiteWorld(options)
    const sync = world.sync()
    await sync.follow()
    const before = new Map([...sync.items].map(([item, { place }]) => [item, place]))
    for (const { make } of options.edits) await make(world)
    await sync.follow()
    const ledger = { get: async (key: string) => sync.ledger.get(key), entries: entriesOf(sync.ledger) }
    const holds = world.holds()
    for (const [item, place] of before) {
      const call = { ...world.call(), ledger }
      const answer = await provider.lookUp?.(call, { id: item, ...(place && { place }) }, world.selection)
      if (holds.has(item)) expect(answer, item).toMatchObject({ id: item })
      else expect(answer, item).toBe('absent')
    }
    expect(world.complaints).toEqual([])
  })

  for (const { fault } of [...TROUBLES, { fault: { kind: 'html', status: 404 } }])
    test(`${id}: never reports an item as absent if its look-up meets ${JSON.stringify(fault)}`, async () => {
      const world = await suiteWorld({ ...options, described: undefined })
      const sync = world.sync()
      await sync.follow()
      const ledger = { get: async (key: string) => sync.ledger.get(key), entries: entriesOf(sync.ledger) }
      const [[item = '', { place } = { place: undefined }] = []] = [...sync.items].filter(([, { content }]) => content)
      for (const after of [0, 1]) {
        await world.order({ ...fault, after })
        const call = { ...world.call(), ledger }
        const asked = provider.lookUp?.(call, { id: item, ...(place && { place }) }, world.selection)
        const answer = await asked?.catch((error: unknown) => kindOf(error))
        expect(answer).not.toBe('absent')
        expect(answer).toBeDefined()
        await goOn(world)
      }
    })
}

function entriesOf(ledger: ReadonlyMap<string, string>) {
  return async (prefix: string) => new Map([...ledger].filter(([key]) => key.startsWith(prefix)))
}

/** Continues after a fault. A dead grant needs a new consent. */
async function goOn(world: SuiteWorld): Promise<void> {
  await world.kit.control('DELETE', '/faults')
  await world.signInAgain()
}

function kindOf(error: unknown): FailureKind | undefined {
  return error instanceof ProviderFailure ? error.kind : undefined
}

/** Returns the failure of a promise, which must be on one line and without tokens. */
async function failureOf(promise: Promise<unknown>): Promise<ProviderFailure> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown
  )
  expect(error).toBeInstanceOf(ProviderFailure)
  const failure = error as ProviderFailure
  expect(failure.message).not.toMatch(/\n|bearer|token=/i)
  return failure
}
