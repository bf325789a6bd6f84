import { expect, test } from 'vitest'
import { makePlan } from './plan.ts'
import { simulate } from './simulate.ts'

/** `SIMULATION_SEED=n` runs that seed alone, `SIMULATION_SEED=n-m` those from one to the other. */
const SEEDS_DEFAULT = process.env.SLOW ? '1-20000' : '1-100'

test('two servers, four providers and their clients end as they should, whatever fails in between', async () => {
  const [first = 1, last = first] = (process.env.SIMULATION_SEED ?? SEEDS_DEFAULT).split('-').map(Number)
  for (let seed = first; seed <= last; seed += 1) {
    const { failure, trace } = await simulate(makePlan(seed))
    expect(failure, explain(seed, trace)).toBeUndefined()
  }
})

function explain(seed: number, trace: readonly string[]): string {
  const command = `SIMULATION_SEED=${seed} npx vitest run --config test/config/vitest.config.ts test/simulation/simulation.test.ts`
  return `${trace.join('\n')}\nseed ${seed} fails; replay it with: ${command}`
}
