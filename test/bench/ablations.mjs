/**
 * What ranking loses without each cue. An ablation is a name and the numbers of `RANKING` (src/search/rank/ranking-constants.ts)
 * that switch the cue off: the value at which it does nothing. Numbers that are not named stay; a name that is not there
 * is refused. So a new cue is a new line here, and a cue that no number switches off gets a number first.
 */
export const ABLATIONS = [
  { name: 'neighbouring turns', override: { NEIGHBOUR_WEIGHTS: { before: [0, 0], after: [0, 0] } } },
  { name: 'speaker', override: { SPEAKER_MENTIONS: 0 } },
  { name: 'whom facts are about', override: { ABOUT_MENTIONS: 0 } },
  { name: 'dates', override: { DATE_MENTIONS: 0 } },
  { name: 'questions answer less', override: { ASKING_LOSS: 0 } },
  { name: 'prior of lengths', override: { LENGTH_PRIOR: 0 } }
]
