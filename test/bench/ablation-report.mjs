import { table } from './results-file.mjs'

/** Columns of the table of signals, each with its figure. */
const COLUMNS = {
  'LoCoMo R@10': ({ locomo }) => locomo.turns.r10,
  'nDCG@10': ({ locomo }) => locomo.turns.ndcg10,
  'sessions hit@1': ({ locomo }) => locomo.sessions.hit1,
  'REALTALK R@10': ({ realtalk }) => realtalk[0],
  'REALTALK nDCG@10': ({ realtalk }) => realtalk[1],
  'BEAM R@10': ({ beam }) => beam[0],
  'BEAM nDCG@10': ({ beam }) => beam[1],
  'MADial nDCG@10': ({ madial }) => madial[1],
  'CACM MAP': ({ cacm }) => cacm,
  'Cranfield MAP': ({ cranfield }) => cranfield
}

/** Builds the table of signals: the figures of the full ranking, and of each ablation with the difference. */
export function signalTable(full, rows) {
  const shown = Object.values(COLUMNS)
  return table([
    ['without', ...Object.keys(COLUMNS)],
    ['(nothing)', ...shown.map((of) => hundredths(of(full)))],
    ...rows.map(({ name, figures }) => [name, ...shown.map((of) => withDelta(of(figures), of(full)))])
  ])
}

function hundredths(figure) {
  return (figure * 100).toFixed(1)
}

function delta(figure, from) {
  const change = ((figure - from) * 100).toFixed(1)
  if (Number(change) === 0) return '0.0'
  return change.startsWith('-') ? change : `+${change}`
}

function withDelta(figure, from) {
  return `${hundredths(figure)} (${delta(figure, from)})`
}
