import { expect, type TestContext, test } from 'vitest'
import { runStorm } from './run-storm.ts'
import { STORM_SOURCES } from './storm-sources.ts'
import { type OpenStormStorage, openSqlite, postgresOpener } from './storm-storages.ts'

/** Of each sandbox provider. `STORM_SEED=n` runs that schedule alone, `STORM_SEED=n-m` those from one to the other. */
const SCHEDULES = process.env.SLOW ? { sqlite: 500, postgres: 50 } : { sqlite: 25, postgres: 2 }

/** How a test opens the storage of each of its schedules; it skips itself where there is none. */
const ENGINES: Readonly<Record<keyof typeof SCHEDULES, (test: TestContext) => Promise<OpenStormStorage>>> = {
  sqlite: async () => openSqlite,
  async postgres({ skip }) {
    const opener = await postgresOpener()
    return 'open' in opener ? opener.open : skip(opener.reason)
  }
}

for (const [engine, opener] of Object.entries(ENGINES) as [keyof typeof ENGINES, (typeof ENGINES)['sqlite']][])
  for (const [name, source] of Object.entries(STORM_SOURCES))
    test(`${engine}, ${name}: after faults, kills and changes of all kinds, one more sync comes to what there is`, async (context) => {
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
