import { expect, test } from 'vitest'
import { collectEntries, ENTRIES_MAX, LISTING_MS_MAX, PAGE_MS_MAX } from '../../../server/connections/browse-folders.ts'
import { ProviderFailure } from '../../../server/providers/port/provider-failure.ts'
import { toMillis } from '../../../src/contract/epoch-ms.ts'
import { manualClock } from '../http/manual-clock.ts'

type Entry = { id: string; name: string }

const never = new AbortController().signal

async function* pagesOf(...pages: Entry[][]): AsyncIterable<Entry[]> {
  for (const page of pages) yield page
}

function named(...names: string[]): Entry[] {
  return names.map((name) => ({ id: `id of ${name}`, name }))
}

test('returns the entries of all pages in natural order', async () => {
  const pages = () => pagesOf(named('Zoë', 'item 10'), named('item 9', 'alpha'), [], named('Älg', 'Beta'))
  const entries = await collectEntries(pages, { clock: manualClock(), signal: never })
  expect(entries.map(({ name }) => name)).toEqual(['Älg', 'alpha', 'Beta', 'item 9', 'item 10', 'Zoë'])
})

test('orders equal names by id, and counts duplicates once', async () => {
  const pages = () => pagesOf([{ id: 'b', name: 'x' }], [{ id: 'a', name: 'x' }], [{ id: 'b', name: 'x' }])
  const entries = await collectEntries(pages, { clock: manualClock(), signal: never })
  expect(entries.map(({ id }) => id)).toEqual(['a', 'b'])
})

test('collects and sorts 5,000 entries', async () => {
  const page = named(...Array.from({ length: 5000 }, (_, at) => `folder ${(at * 7919) % 5000}`))
  const entries = await collectEntries(() => pagesOf(page), { clock: manualClock(), signal: never })
  expect(entries.map(({ name }) => name)).toEqual(Array.from({ length: 5000 }, (_, at) => `folder ${at}`))
})

test('stops a listing without end', async () => {
  let pages = 0
  async function* endless(): AsyncIterable<Entry[]> {
    for (;;) yield named(...Array.from({ length: 1000 }, (_, at) => `${pages++} ${at}`))
  }
  const collected = collectEntries(endless, { clock: manualClock(), signal: never })
  await expect(collected).rejects.toMatchObject({ code: 'provider_failed' })
  expect(pages).toBeLessThanOrEqual(ENTRIES_MAX + 1001)
})

test('stops a listing that repeats its page when the time is over', async () => {
  const clock = manualClock()
  async function* repeated(): AsyncIterable<Entry[]> {
    for (;;) {
      await clock.wait(1000)
      yield named('one')
    }
  }
  const collected = collectEntries(repeated, { clock, signal: never })
  collected.catch(() => undefined)
  for (let passed = 0; passed <= LISTING_MS_MAX; passed += 1000) await clock.pass(1000)
  await expect(collected).rejects.toMatchObject({ kind: 'transient', message: expect.stringContaining('30 seconds') })
  expect(clock.waiting()).toBeLessThanOrEqual(1)
})

test('gives up on a provider without a page after 13 seconds, but waits for one that sends pages', async () => {
  const clock = manualClock()
  async function* slow(): AsyncIterable<Entry[]> {
    await clock.wait(PAGE_MS_MAX - 1000)
    yield named('one')
    await clock.wait(PAGE_MS_MAX - 1000)
    yield named('two')
  }
  async function* hanging(): AsyncIterable<Entry[]> {
    await new Promise(() => undefined)
    yield []
  }
  const collected = collectEntries(slow, { clock, signal: never })
  const refused = collectEntries(hanging, { clock, signal: never })
  refused.catch(() => undefined)
  for (let passed = 0; passed < 2 * PAGE_MS_MAX; passed += 500) await clock.pass(500)
  expect((await collected).map(({ name }) => name)).toEqual(['one', 'two'])
  await expect(refused).rejects.toMatchObject({ kind: 'transient', message: expect.stringContaining('13 seconds') })
})

test('rejects names that take too much memory', async () => {
  const long = 'x'.repeat(1024 * 1024)
  const pages = () => pagesOf(...Array.from({ length: 20 }, (_, at) => [{ id: String(at), name: `${at}${long}` }]))
  await expect(collectEntries(pages, { clock: manualClock(), signal: never })).rejects.toMatchObject({
    code: 'provider_failed'
  })
})

/** Builds a listing that fails the given number of times, then lists one entry. */
function failing(times: number, failure: () => Error) {
  const asked = { count: 0 }
  async function* list(): AsyncIterable<Entry[]> {
    yield named('early')
    if (asked.count++ < times) throw failure()
    yield named('late')
  }
  return { asked, list }
}

test('repeats a listing from the beginning after a temporary failure, at most twice', async () => {
  const clock = manualClock()
  const twice = failing(2, () => new ProviderFailure('transient', 'gone for a moment'))
  const collected = collectEntries(twice.list, { clock, signal: never })
  for (let turn = 0; turn < 4; turn++) await clock.pass(1000)
  expect((await collected).map(({ name }) => name)).toEqual(['early', 'late'])
  const more = failing(9, () => new ProviderFailure('transient', 'gone for good'))
  const refused = collectEntries(more.list, { clock, signal: never })
  refused.catch(() => undefined)
  for (let turn = 0; turn < 4; turn++) await clock.pass(1000)
  await expect(refused).rejects.toThrow('gone for good')
  expect(more.asked.count).toBe(3)
})

test.each([
  new ProviderFailure('rate_limited', 'too many', { retryAfterMs: toMillis(5000) }),
  new ProviderFailure('transient', 'later', { retryAfterMs: toMillis(60_000) }),
  new ProviderFailure('grant_dead', 'over'),
  new Error('a bug')
])('does not retry after %s', async (failure) => {
  const { asked, list } = failing(9, () => failure)
  await expect(collectEntries(list, { clock: manualClock(), signal: never })).rejects.toBe(failure)
  expect(asked.count).toBe(1)
})

test('releases a caller that aborts, even if the provider ignores the signal', async () => {
  const gone = new AbortController()
  const hung: AsyncIterable<Entry[]> = {
    [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) })
  }
  const collected = collectEntries(() => hung, { clock: manualClock(), signal: gone.signal })
  gone.abort(new Error('gone'))
  await expect(collected).rejects.toThrow('gone')
  await expect(collectEntries(() => hung, { clock: manualClock(), signal: gone.signal })).rejects.toThrow('gone')
})
