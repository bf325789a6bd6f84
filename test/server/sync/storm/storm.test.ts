import { expect, test } from 'vitest'
import { runStorm } from './run-storm.ts'
import { STORM_SOURCES } from './storm-sources.ts'

/** Of each stand-in. `STORM_SEED=n` runs that schedule alone, `STORM_SEED=n-m` those from one to the other. */
const SCHEDULES = process.env.SLOW ? 500 : 25
const [FIRST = 1, LAST = FIRST] = (process.env.STORM_SEED ?? `1-${SCHEDULES}`).split('-').map(Number)

for (const [name, source] of Object.entries(STORM_SOURCES))
  test(`${name}: after faults, kills and changes of all kinds, one more sync comes to what there is`, async () => {
    const seeds = Array.from({ length: LAST - FIRST + 1 }, (_, at) => FIRST + at)
    for (const seed of seeds) {
      try {
        await runStorm(source, seed)
      } catch (error) {
        throw new Error(`STORM_SEED=${seed}`, { cause: error })
      }
    }
    expect(seeds.length).toBeGreaterThan(0)
  }, 3_600_000)
