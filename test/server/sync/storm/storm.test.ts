import { expect, test } from 'vitest'
import { runStorm } from './run-storm.ts'
import { STORM_SOURCES } from './storm-sources.ts'

/** Of each stand-in. `STORM_SEED=n` runs that schedule alone. */
const SCHEDULES = process.env.SLOW ? 500 : 25
const SEED = process.env.STORM_SEED

for (const [name, source] of Object.entries(STORM_SOURCES))
  test(`${name}: after faults, kills and changes of all kinds, one more sync comes to what there is`, async () => {
    const seeds = SEED === undefined ? Array.from({ length: SCHEDULES }, (_, at) => at + 1) : [Number(SEED)]
    for (const seed of seeds) {
      try {
        await runStorm(source, seed)
      } catch (error) {
        throw new Error(`STORM_SEED=${seed}`, { cause: error })
      }
    }
    expect(seeds.length).toBeGreaterThan(0)
  }, 3_600_000)
