/**
 * What ranking may be left without: a name, and the numbers of `RANKING` (src/search/rank/ranking-constants.ts) with which that cue
 * does nothing. Numbers that are not named stay; a name that is not there is refused. So a new cue is a new line here, and a
 * cue that no number switches off gets a number first. Weights under `EVIDENCE` need no line: each is switched off in turn.
 */
const CUES = [
  { name: 'neighbouring turns', override: { NEIGHBOUR_WEIGHTS: { before: [0, 0], after: [0, 0] } } },
  { name: 'speaker', override: { SPEAKER_MENTIONS: 0 } },
  { name: 'whom facts are about', override: { ABOUT_MENTIONS: 0 } },
  { name: 'dates', override: { DATE_MENTIONS: 0 } },
  { name: 'questions answer less', override: { ASKING_LOSS: 0 } },
  { name: 'prior of lengths', override: { LENGTH_PRIOR: 0 } }
]

/** Every ablation of a ranking with these numbers. */
export function ablationsOf({ EVIDENCE = {} }) {
  const off = Object.keys(EVIDENCE).map((name) => [name, 0])
  const all = { name: 'all further evidence', override: { EVIDENCE: Object.fromEntries(off) } }
  const each = off.map((one) => ({ name: nameOf(one[0]), override: { EVIDENCE: Object.fromEntries([one]) } }))
  return [...CUES, ...(off.length > 0 ? [all] : []), ...each]
}

function nameOf(weight) {
  return weight.toLowerCase().replaceAll('_', ' ')
}
