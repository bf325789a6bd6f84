import { expect, type TestContext, test } from 'vitest'
import { runStorm } from './run-storm.ts'
import { STORM_SOURCES } from './storm-sources.ts'
import { type OpenStormStorage, openSqlite, postgresOpener } from './storm-storages.ts'

/**
 * The number of schedules for each sandbox provider. `STORM_SEED=n` runs only that schedule, `STORM_SEED=n-m` a range.
 */
const SCHEDULES = process.env.SLOW ? { sqlite: 500, postgres: 50 } : { sqlite: 2, postgres: 1 }

/** Opens the storage of each schedule. The test skips itself if there is none. */
const ENGINES: Readonly<Record<keyof typeof SCHEDULES, (test: TestContext) => Promise<OpenStormStorage>>> = {
  sqlite: async () => openSqlite,
  async postgres({ skip }) {
    const opener = await postgresOpener()
    return 'open' in opener ? opener.open : skip(opener.reason)
  }
}

for (const [engine, opener] of Object.entries(ENGINES) as [keyof typeof ENGINES, (typeof ENGINES)['sqlite']][])
  for (const [name, source] of Object.entries(STORM_SOURCES))
    test(`${engine}, ${name}: one sync after failures, kills and changes matches the account`, async (context) => {
      const open = await opener(context)
      const seeds = seedsOf(engine)
      for (const seed of seeds) {
        try {
          await runStorm(source, seed, open)
        } catch (error) {
          throw new Error(`STORM_SEED=${seed}`, { cause: error })
        }
      }
      expect(seeds.length).toBeGreaterThan(0)
    }, 3_600_000)

function seedsOf(engine: keyof typeof SCHEDULES): number[] {
  const [first = 1, last = first] = (process.env.STORM_SEED ?? `1-${SCHEDULES[engine]}`).split('-').map(Number)
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}
