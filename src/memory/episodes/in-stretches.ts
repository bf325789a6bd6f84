import type { Turn } from './turn.ts'

/** Turns in their order, cut wherever nobody said anything for long. */
export function inStretches(turns: readonly Turn[]): Turn[][] {
  const stretches: Turn[][] = []
  for (const turn of turns) {
    const last = stretches.at(-1)
    const before = last?.at(-1)
    if (last === undefined || before === undefined || turn.atMs - before.atMs > PAUSE_MS_MAX) stretches.push([turn])
    else last.push(turn)
  }
  return stretches
}

/** Six hours: a night ends a talk, a meal does not. */
export const PAUSE_MS_MAX = 6 * 60 * 60 * 1000
