import { expect, test } from 'vitest'
import { BUGS } from './bugs.ts'
import { NO_MUTATION } from './mutation.ts'
import { makePlan } from './plan.ts'
import { simulate } from './simulate.ts'

/**
 * The first seed that finds each bug, and the message it reports. `SLOW=1` searches for that seed again, from the first
 * one.
 */
const FOUND: Readonly<Record<string, { seed: number; says: RegExp }>> = {
  leakedSlot: { seed: 127, says: /requests are in flight/ },
  fractionalTimes: { seed: 1, says: /expected a whole number/ },
  ignoredLease: { seed: 1, says: /claimed although another server holds it/ },
  lostReference: { seed: 1, says: /^tok\w+ is / },
  lazyForget: { seed: 15, says: /was forgotten, as the server said, and is still there/ },
  noCooldown: { seed: 1, says: /is tried again after 0 ms/ },
  noGuard: { seed: 7, says: /was deleted, although no request asked for it/ },
  ignoredFence: { seed: 359, says: /a run that has lost its lease has written/ },
  skippedDeletions: { seed: 3, says: /is held, although nothing says so any more/ },
  lostRotation: { seed: 16, says: /the grant of team_chat was lost/ }
}

const SEEDS_MAX = 2000

test.each(Object.entries(BUGS))('finds the reintroduced bug: %s', async (name, mutation) => {
  const { seed, says } = FOUND[name] ?? { seed: 0, says: /^$/ }
  for (let early = process.env.SLOW ? 1 : seed; early < seed; early += 1)
    expect((await simulate(makePlan(early), { mutation })).failure, `seed ${early}`).toBeUndefined()
  expect(seed).toBeLessThanOrEqual(SEEDS_MAX)
  expect((await simulate(makePlan(seed), { mutation })).failure).toMatch(says)
  expect((await simulate(makePlan(seed), { mutation: NO_MUTATION })).failure).toBeUndefined()
})
