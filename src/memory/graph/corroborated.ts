import type { Claim } from './claim.ts'
import { byText, compareClaims, confidenceOf } from './claim-order.ts'

export type Corroborated = { best: Claim; confidence: number; source_ids: string[] }

/**
 * What several claims of one thing are worth together. The best is the most confident, then the earliest. Independent
 * sources multiply their doubts away (noisy-or); what one speaker says in one conversation is one source, however often.
 */
export function corroborated(claims: readonly Claim[]): Corroborated {
  const [only] = claims
  if (only !== undefined && claims.length === 1) {
    return { best: only, confidence: Math.min(confidenceOf(only), CONFIDENCE_MAX), source_ids: [only.stated.source.id] }
  }
  const best = claims.reduce((first, second) => (compareClaims(second, first) < 0 ? second : first))
  const surest = new Map<string, number>()
  for (const claim of claims) {
    const key = voice(claim)
    surest.set(key, Math.max(surest.get(key) ?? 0, confidenceOf(claim)))
  }
  const doubts = [...surest.values()].sort((a, b) => a - b)
  const doubt = doubts.reduce((product, confidence) => product * (1 - confidence), 1)
  const alone = confidenceOf(best)
  const confidence = doubts.length === 1 ? alone : Math.min(1 - doubt, CONFIDENCE_MAX)
  return {
    best,
    confidence: Math.max(confidence, Math.min(alone, CONFIDENCE_MAX)),
    source_ids: sourceIds(best, claims)
  }
}

/** However many say so: all of them were read by the same rules. */
const CONFIDENCE_MAX = 0.99

/** Who speaks where. A memory with neither speaker nor conversation stands for itself. */
function voice({ stated: { source } }: Claim): string {
  const { id, conversation, speaker } = source
  return conversation === undefined && speaker === undefined ? id : `${conversation ?? ''}\u0000${speaker ?? ''}`
}

/** The best one's, then by time. */
function sourceIds(best: Claim, claims: readonly Claim[]): string[] {
  const sources = new Map(claims.map(({ stated: { source } }) => [source.id, source.at]))
  sources.delete(best.stated.source.id)
  const others = [...sources].sort(([a, from], [b, to]) => byText(from, to) || byText(a, b))
  return [best.stated.source.id, ...others.map(([id]) => id)]
}
