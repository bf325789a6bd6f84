import { Fault } from '../../src/contract/faults.ts'
import type { Clock } from '../../src/ports.ts'
import { startTimeLimit } from '../providers/http/time-limit.ts'
import { unlessAborted } from '../providers/http/unless-aborted.ts'
import { ProviderFailure } from '../providers/provider-failure.ts'

/** What is held of a listing at most: entries, and characters of their names together. */
export const ENTRIES_MAX = 20_000
const NAME_CHARACTERS_MAX = 16 * 1024 * 1024
/** How long a provider may take for a page, however often it is asked for it, and for all of them. In milliseconds. */
export const PAGE_MS_MAX = 13_000
export const LISTING_MS_MAX = 30_000
/** Waits before a listing that failed in passing is begun again, in milliseconds. */
const RETRY_WAITS_MS = [250, 1000]

export type Listing<Entry> = (signal: AbortSignal) => AsyncIterable<readonly Entry[]>

type Named = { id: string; name: string }

export type CollectWorld = { clock: Pick<Clock, 'wait'>; signal: AbortSignal }

/**
 * All entries of a listing, sorted by name as people read it, each id once.
 *
 * @throws ProviderFailure of the provider, or `transient` where it takes too long; Fault `provider_failed` where it lists too much.
 */
export async function collectEntries<Entry extends Named>(
  list: Listing<Entry>,
  { clock, signal }: CollectWorld
): Promise<Entry[]> {
  const whole = startTimeLimit(clock, LISTING_MS_MAX, () => tookLonger(LISTING_MS_MAX))
  const page = startTimeLimit(clock, PAGE_MS_MAX, () => tookLonger(PAGE_MS_MAX))
  const either = AbortSignal.any([signal, whole.signal, page.signal])
  const listed: Listing<Entry> = async function* (call) {
    for await (const entries of list(call)) {
      page.restart()
      yield entries
    }
  }
  try {
    // A provider that does not listen to its signal keeps nobody waiting.
    const entries = await unlessAborted(withRetries(listed, { clock, signal: either }), either)
    return entries.sort(byName)
  } finally {
    page.end()
    whole.end()
  }
}

function tookLonger(ms: number): ProviderFailure {
  return new ProviderFailure('transient', `the provider took more than ${ms / 1000} seconds`)
}

async function withRetries<Entry extends Named>(list: Listing<Entry>, world: CollectWorld): Promise<Entry[]> {
  for (const waitMs of RETRY_WAITS_MS) {
    try {
      return await collect(list(world.signal))
    } catch (thrown) {
      if (!isPassing(thrown) || world.signal.aborted) throw thrown
      await world.clock.wait(waitMs, world.signal)
    }
  }
  return await collect(list(world.signal))
}

/** A provider that names a time is asked again no sooner, and not by us. */
function isPassing(thrown: unknown): boolean {
  return thrown instanceof ProviderFailure && thrown.kind === 'transient' && thrown.retryAfterMs === undefined
}

async function collect<Entry extends Named>(pages: AsyncIterable<readonly Entry[]>): Promise<Entry[]> {
  const entries = new Map<string, Entry>()
  let characters = 0
  for await (const page of pages) {
    for (const entry of page) {
      entries.set(entry.id, entry)
      characters += entry.name.length
    }
    if (entries.size > ENTRIES_MAX || characters > NAME_CHARACTERS_MAX) throw tooMany()
  }
  return [...entries.values()]
}

function tooMany(): Fault {
  return new Fault('provider_failed', `the account has more there than the ${ENTRIES_MAX} entries that are listed`, {
    hint: 'look for the id at the provider, and select it by that: memctl connections config'
  })
}

const NAMES = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

function byName(a: Named, b: Named): number {
  return NAMES.compare(a.name, b.name) || (a.id < b.id ? -1 : Number(a.id > b.id))
}
