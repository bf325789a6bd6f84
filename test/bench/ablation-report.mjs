import { table } from './results-file.mjs'

/** Columns of the table of cues: what they show of the figures. */
const COLUMNS = {
  'turns R@10': ({ talk }) => talk.turns.r10,
  'nDCG@10': ({ talk }) => talk.turns.ndcg10,
  'sessions hit@1': ({ talk }) => talk.sessions.hit1,
  'CACM MAP': ({ cacm }) => cacm,
  'Cranfield MAP': ({ cranfield }) => cranfield,
  'nDCG@10, tuned on': ({ tuned }) => tuned.turns.ndcg10,
  'nDCG@10, others': ({ others }) => others.turns.ndcg10
}

/** What each cue is worth: the figures of all cues, and of each ablation with what it changes. */
export function cueTable(full, rows) {
  const shown = Object.values(COLUMNS)
  return table([
    ['without', ...Object.keys(COLUMNS)],
    ['(nothing)', ...shown.map((of) => hundredths(of(full)))],
    ...rows.map(({ name, figures }) => [name, ...shown.map((of) => withDelta(of(figures), of(full)))])
  ])
}

/** The same measures of both parts, and of a library that was tuned on neither: conversations differ in how hard they are. */
export function honestTable(full, library, { tuned, others }) {
  const parts = { [`tuned on ${tuned.join(', ')}`]: 'tuned', [`others: ${others.join(', ')}`]: 'others' }
  const shown = [
    ...[({ turns }) => turns.r5, ({ turns }) => turns.r10, ({ turns }) => turns.ndcg10],
    ({ sessions }) => sessions.hit1
  ]
  const row = (name, of, format) => [name, ...shown.map((figure) => format(figure(full[of]), figure(library[of])))]
  return table([
    ['conversations', 'turns R@5', 'R@10', 'nDCG@10', 'sessions hit@1'],
    ...Object.entries(parts).map(([name, of]) => row(name, of, (own) => hundredths(own))),
    ...Object.entries(parts).map(([name, of]) => row(`over MiniSearch, ${name}`, of, (own, its) => delta(own, its)))
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
