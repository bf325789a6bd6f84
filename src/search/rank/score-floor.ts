/** Steps in which scores are counted: a floor is at most one step too low. */
const STEPS = 2048
/** Scores are multiplied and divided on the way to a floor: it must not come out higher than they are. */
const ROUNDING = 1e-12

/** A score that at least `limit` of these have, the highest that can be told by counting; 0 where there are not so many. */
export function scoreFloor(scores: Float64Array, limit: number): number {
  let highest = 0
  for (let at = 0; at < scores.length; at++) if ((scores[at] ?? 0) > highest) highest = scores[at] ?? 0
  if (highest === 0 || scores.length < limit) return 0
  const counts = new Uint32Array(STEPS + 1)
  const scale = STEPS / highest
  for (let at = 0; at < scores.length; at++) {
    const step = ((scores[at] ?? 0) * scale) | 0
    counts[step] = (counts[step] ?? 0) + 1
  }
  let reached = 0
  let step = STEPS
  for (; step > 0; step--) {
    reached += counts[step] ?? 0
    if (reached >= limit) break
  }
  return (step / scale) * (1 - ROUNDING)
}
