import { expect, test } from 'vitest'
import { makePlan, type Plan, type Step } from './plan.ts'
import { shrinkPlan } from './shrink.ts'

const step = (lane: number): Step => ({ lane, pauseMs: 0, act: { kind: 'search', pick: lane } })

test('shrinks a plan to the steps that its failure needs', async () => {
  const plan: Plan = { seed: 1, steps: Array.from({ length: 23 }, (_, lane) => step(lane)) }
  let tries = 0
  const shrunk = await shrinkPlan(plan, async ({ steps }) => {
    tries += 1
    return [4, 17].every((lane) => steps.some((one) => one.lane === lane))
  })
  expect(shrunk).toEqual({ seed: 1, steps: [step(4), step(17)] })
  expect(tries).toBeLessThan(60)
})

test('removes all steps of a plan that fails without them', async () => {
  const shrunk = await shrinkPlan(makePlan(1), async () => true)
  expect(shrunk.steps).toEqual([])
})
