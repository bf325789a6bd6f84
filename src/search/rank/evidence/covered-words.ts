import { brevity, type Pool } from './pool.ts'

/**
 * How much of what the query looks for a document has at all, however often: that of its words, by weight. Names of
 * speakers are left out, since they are everywhere in what these say.
 */
export function coveredWords(pool: Pool): Float64Array | undefined {
  const { index, cues, documents, base } = pool
  const counted = cues.filter(({ cue }) => cue.kind === 'date' || !pool.query.names.has(cue.name))
  const whole = counted.reduce((sum, { weight }) => sum + weight, 0)
  if (whole === 0) return undefined
  const covered = new Float64Array(documents.length)
  for (const cue of counted) {
    const mentions = pool.mentions(cue.said)
    for (let place = 0; place < covered.length; place++) {
      if ((mentions[place] ?? 0) > 0) covered[place] = (covered[place] ?? 0) + cue.weight
    }
  }
  const brief = brevity(index)
  return covered.map((weight, place) => {
    const short = brief(documents[place] ?? 0)
    return short * Math.sqrt(Math.min(1, weight / whole)) + (1 - short) * (base[place] ?? 0)
  })
}
