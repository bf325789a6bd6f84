/**
 * Ablations of the ranking: a name, and the parameters of `RANKING` (src/search/rank/ranking-constants.ts) that disable
 * the signal. Other parameters keep their values; an unknown name is refused. A new signal needs a new line here, and a
 * parameter that disables it. Weights under `EVIDENCE` need no line: each is disabled in turn.
 */
const CUES = [
  { name: 'neighbouring turns', override: { NEIGHBOUR_WEIGHTS: { before: [0, 0], after: [0, 0] } } },
  { name: 'speaker', override: { SPEAKER_MENTIONS: 0 } },
  { name: 'dates', override: { DATE_MENTIONS: 0 } },
  { name: 'loss of long turns', override: { LONG_TURN_LOSS_TERMS: 1e9 } },
  { name: 'long turns apart', override: { LONG_TURN_TERMS: 1e9 } },
  { name: 'prior of lengths', override: { LENGTH_PRIOR: 0 } },
  { name: 'related words', override: { RELATED_MENTIONS: 0 } },
  { name: 'feedback from long texts', override: { FEEDBACK_WEIGHT: 0 } }
]

/** Returns every ablation of a ranking with these parameters. A weight of `EVIDENCE` is named as it is there. */
export function ablationsOf({ EVIDENCE = {} }) {
  const off = Object.keys(EVIDENCE).map((name) => [name, 0])
  const all = { name: 'all further evidence', override: { EVIDENCE: Object.fromEntries(off) } }
  const each = off.map((one) => ({ name: one[0], override: { EVIDENCE: Object.fromEntries([one]) } }))
  return [...CUES, ...(off.length > 0 ? [all] : []), ...each]
}
