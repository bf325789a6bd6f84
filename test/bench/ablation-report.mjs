import { table } from './results-file.mjs'

/** Columns of the table of signals, each with its figure. */
const COLUMNS = {
  'turns R@10': ({ talk }) => talk.turns.r10,
  'nDCG@10': ({ talk }) => talk.turns.ndcg10,
  'sessions hit@1': ({ talk }) => talk.sessions.hit1,
  'CACM MAP': ({ cacm }) => cacm,
  'Cranfield MAP': ({ cranfield }) => cranfield,
  'nDCG@10, tuned on': ({ tuned }) => tuned.turns.ndcg10,
  'nDCG@10, others': ({ others }) => others.turns.ndcg10
}

/** Builds the table of signals: the figures of the full ranking, and of each ablation with the difference. */
export function cueTable(full, rows) {
  const shown = Object.values(COLUMNS)
  return table([
    ['without', ...Object.keys(COLUMNS)],
    ['(nothing)', ...shown.map((of) => hundredths(of(full)))],
    ...rows.map(({ name, figures }) => [name, ...shown.map((of) => withDelta(of(figures), of(full)))])
  ])
}

/**
 * Builds a table with the same measures for both parts: with weights fitted to one alone, with the released weights,
 * and for a library tuned on neither, because conversations differ in difficulty.
 */
export function honestTable({ full, fitted, library }, { tuned, others }) {
  const parts = { [tuned.join(', ')]: 'tuned', [others.join(', ')]: 'others' }
  const shown = [
    ...[({ turns }) => turns.r5, ({ turns }) => turns.r10, ({ turns }) => turns.ndcg10],
    ({ sessions }) => sessions.hit1
  ]
  const rows = (name, format) =>
    Object.entries(parts).map(([conversations, of]) => [
      name,
      conversations,
      ...shown.map((figure) => format(figure, of))
    ])
  return table([
    ['weights', 'measured on', 'turns R@5', 'R@10', 'nDCG@10', 'sessions hit@1'],
    ...rows(`fitted to ${tuned.join(', ')} only`, (figure, of) => hundredths(figure(fitted[of]))),
    ...rows('shipped', (figure, of) => hundredths(figure(full[of]))),
    ...rows('shipped, minus MiniSearch', (figure, of) => delta(figure(full[of]), figure(library[of])))
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
