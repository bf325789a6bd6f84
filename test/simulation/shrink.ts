import type { Plan } from './plan.ts'

/**
 * Removes steps from a plan as long as it still fails: first halves, then smaller parts, finally single steps (Zeller's
 * ddmin without its complements). Returns the smallest plan that was found.
 */
export async function shrinkPlan(plan: Plan, fails: (plan: Plan) => Promise<boolean>): Promise<Plan> {
  let { steps } = plan
  for (let size = Math.ceil(steps.length / 2); size >= 1; ) {
    let isSmaller = false
    for (let at = 0; at < steps.length; ) {
      const fewer = [...steps.slice(0, at), ...steps.slice(at + size)]
      if (await fails({ ...plan, steps: fewer })) {
        steps = fewer
        isSmaller = true
      } else at += size
    }
    if (size === 1 && !isSmaller) break
    if (size > 1) size = Math.ceil(size / 2)
  }
  return { ...plan, steps }
}
