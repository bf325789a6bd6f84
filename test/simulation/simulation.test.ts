import { expect, onTestFinished, test } from 'vitest'
import { nodeClock } from '../../bin/node/node-clock.ts'
import { openPostgresStorage } from '../../server/storage/open-postgres-storage.ts'
import { postgresSchema } from '../setup/postgres-schema.ts'
import { makePlan, type Plan } from './plan.ts'
import { shrinkPlan } from './shrink.ts'
import { simulate } from './simulate.ts'
import { openMemorySqlite } from './world.ts'

/**
 * `SIMULATION_SEED=n` runs only that seed, `SIMULATION_SEED=n-m` a range of seeds. The usual range finds all bugs of
 * `bugs.test.ts` but two, whose seeds that test runs itself.
 */
const SEEDS_DEFAULT = process.env.SLOW ? '1-20000' : '1-30'

/** 20,000 seeds take half an hour on an idle machine. */
const SLOW_MS_MAX = 6 * 3_600_000

const LIMIT = process.env.SLOW ? { timeout: SLOW_MS_MAX } : {}

test(
  'keeps every invariant with two servers, four providers and their clients, whatever fails in between',
  LIMIT,
  async () => {
    const [first = 1, last = first] = (process.env.SIMULATION_SEED ?? SEEDS_DEFAULT).split('-').map(Number)
    for (let seed = first; seed <= last; seed += 1) {
      const { failure } = await simulate(makePlan(seed))
      expect(failure, failure && (await explain(seed))).toBeUndefined()
    }
  }
)

/** Number of seeds over a real engine, which takes longer with the same actions. */
const SEEDS_OF_ENGINES = process.env.SLOW ? 200 : 2

test('keeps every invariant over SQLite', async () => {
  for (let seed = 1; seed <= SEEDS_OF_ENGINES; seed += 1)
    expect((await simulate(makePlan(seed), { openStorage: openMemorySqlite })).failure, `seed ${seed}`).toBeUndefined()
})

test('keeps every invariant over PostgreSQL', async ({ skip }) => {
  for (let seed = 1; seed <= SEEDS_OF_ENGINES; seed += 1) {
    const schema = await postgresSchema()
    if ('reason' in schema) return skip(schema.reason)
    onTestFinished(() => schema.remove())
    const { failure } = await simulate(makePlan(seed), {
      // The pause before the storage repeats a call is not an event of the simulation.
      openStorage: ({ now }) => openPostgresStorage({ url: schema.url, clock: { ...nodeClock, now }, connections: 2 })
    })
    expect(failure, `seed ${seed}`).toBeUndefined()
  }
})

/** Shrinks the plan of a failing seed, and explains what is left of it and how to replay it. */
async function explain(seed: number): Promise<string> {
  const fails = async (plan: Plan): Promise<boolean> => (await simulate(plan)).failure !== undefined
  const { steps } = await shrinkPlan(makePlan(seed), fails)
  const { failure, trace } = await simulate({ seed, steps })
  const command = 'npx vitest run --config test/config/vitest.config.ts test/simulation/simulation.test.ts'
  return [
    ...trace,
    `with these steps alone: ${failure}`,
    ...steps.map((step) => JSON.stringify(step)),
    `seed ${seed} fails; replay it with: SIMULATION_SEED=${seed} ${command}`
  ].join('\n')
}
