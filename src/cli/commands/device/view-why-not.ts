import type { WhyNot } from '../../../device/device.ts'
import { textLines } from '../../output/card-lines.ts'
import type { ObjectView } from '../../output/result-writer.ts'
import { formatCount, shortId, shortTime } from '../../output/short-forms.ts'
import type { Page, StyledLine } from '../../output/styled-line.ts'
import { cutText, padText, wrapText } from '../../output/wrap-text.ts'
import { cueName, evidenceName, sayingsText, shortScore } from '../../views/explanation-text.ts'

type Absence = WhyNot['report']

/** Builds the view of `--why-not`: for a terminal, the reasons and a comparison; for a pipe, a row for each compared part. */
export function viewWhyNot(absence: Absence): ObjectView {
  return {
    lines: (page) => absenceLines(absence, page),
    rows: () => absenceRows(absence)
  }
}

/** Lists plain values first (`rank`, `score` …), one per row, then `lacks` or `has` rows with both parts of the score. */
function absenceRows({ compared, reasons, best, ...absence }: Absence): unknown[][] {
  return [
    ...Object.entries(absence),
    ['best_id', best?.id],
    ['best_score', best?.score],
    ...reasons.map(({ reason, ...more }) => ['reason', reason, ...Object.values(more)]),
    ...compared.map((one) => [
      one.best_part > one.part ? 'lacks' : 'has',
      one.name,
      one.part,
      one.best_part,
      sayingsText(one.said, rowName(one)),
      sayingsText(one.best_said, rowName(one))
    ])
  ]
}

function absenceLines(absence: Absence, page: Page): StyledLine[] {
  const { id, text, reasons, best } = absence
  const reasonLines = reasons.flatMap((reason) => textLines(reasonText(reason, absence), page))
  if (text === null) return [[{ text: shortId(id), look: 'bold' }], ...reasonLines]
  const isBest = best?.id === id
  return [
    ...memoryLines('it', { id, text, score: absence.score }, page),
    ...(best === null || isBest ? [] : memoryLines('best', best, page)),
    [],
    ...reasonLines,
    ...(isBest || best === null ? [] : [[], ...formatComparison(absence, page)])
  ]
}

/** Widths of the label and the score, in columns. */
const LABEL = 6
const SCORE = 6

function memoryLines(
  label: string,
  { id, text, score }: { id: string; text: string; score: number },
  page: Page
): StyledLine[] {
  const known = `${label.padEnd(LABEL)}${shortScore(score).padEnd(SCORE)}${shortId(id)}  `
  return [
    [
      { text: known.slice(0, LABEL), look: 'bold' },
      known.slice(LABEL, LABEL + SCORE),
      { text: known.slice(LABEL + SCORE), look: 'dim' },
      cutText(text, page.columns - known.length, page.width)
    ]
  ]
}

function reasonText(reason: Absence['reasons'][number], { rank, found, shown, last_score }: Absence): string {
  switch (reason.reason) {
    case 'forgotten':
      return 'It was forgotten, so no search finds it.'
    case 'shown':
      return `It is in the results as number ${reason.entry}${rank === reason.entry ? '' : ` (number ${rank} before duplicates were merged)`}.`
    case 'later':
      return `Its time, ${shortTime(reason.at)}, is later than the time of the search.`
    case 'filtered':
      return 'A filter of the search leaves it out.'
    case 'superseded':
      return `${shortId(reason.by)} corrected it on ${shortTime(reason.at)}.`
    case 'nothing_asked':
      return 'The query contains no word, number or date to search for.'
    case 'nothing_in_it':
      return `Neither it nor its neighbours contain any of: ${joinWords(reason.looked_for)}.`
    case 'same_as':
      return `It is a duplicate of ${shortId(reason.id)}, which is shown instead.`
    case 'few_words':
      return `Ranked by words alone, it is number ${reason.word_rank}. Only the first ${reason.pool} are ranked by further evidence.`
    case 'others_fit_better':
      return `It is number ${rank} of ${formatCount(found ?? 0, 'memory', 'memories')} found: ${reason.before} rank higher, and ${shown} are shown, the last with a score of ${shortScore(last_score ?? 0)}.`
  }
}

/** Maximum number of words that are listed. */
const NAMED_MAX = 20

function joinWords(words: readonly string[]): string {
  const more = words.length - NAMED_MAX
  return words.slice(0, NAMED_MAX).join(', ') + (more > 0 ? ` and ${formatCount(more, 'more word')}` : '')
}

type Row = Absence['compared'][number]

/** Minimum part of a score, on either side, that gets a line. */
const LEAST = 0.0005
const ROWS_MAX = 16

function formatComparison({ compared }: Absence, page: Page): StyledLine[] {
  const rows = compared.filter(({ part, best_part }) => Math.max(Math.abs(part), Math.abs(best_part)) >= LEAST)
  if (rows.length === 0) return []
  const names = rows.map(rowName)
  const width = Math.min(Math.max(0, ...names.map((name) => page.width(name))), Math.floor(page.columns / 2))
  const head = `${' '.repeat(width)}${'it'.padStart(SCORE)}${'best'.padStart(SCORE)}`
  return [
    [{ text: head, look: 'dim' }],
    ...rows.slice(0, ROWS_MAX).flatMap((row) => rowLines(row, width, page)),
    ...(rows.some(({ counted, part }) => !counted && part > 0)
      ? [[], ...textLines('(…) would have counted if it had been ranked by further evidence', page)]
      : [])
  ]
}

function rowName(row: Row): string {
  if (row.kind === 'evidence') return evidenceName(row.name)
  return row.kind === 'term' && row.asked === null ? `${row.name} (from the best)` : cueName(row)
}

/** Minimum width for words beside the numbers; with less, they get lines of their own. */
const BESIDE_COLUMNS_MIN = 24

function rowLines(row: Row, width: number, page: Page): StyledLine[] {
  const { part, best_part, said, best_said, counted: counts } = row
  const own = counts || part === 0 ? shortScore(part) : `(${shortScore(part)})`
  const numbers = `${own.padStart(SCORE)}${shortScore(best_part).padStart(SCORE)}`
  const name = padText(cutText(rowName(row), width, page.width), width, page.width)
  const words = wordsText(sayingsText(said, rowName(row)), sayingsText(best_said, rowName(row)))
  const beside = page.columns - width - numbers.length - GAP.length
  const isBeside = beside >= BESIDE_COLUMNS_MIN
  const room = isBeside ? beside : page.columns - GAP.length
  const lines = wrapText(words, { columns: room, width: page.width, linesMax: 2 }).filter((line) => line !== '')
  const indent = (isBeside ? ' '.repeat(width + numbers.length) : '') + GAP
  const first = isBeside ? lines.slice(0, 1) : []
  return [
    [name, numbers, ...first.map((line) => ({ text: GAP + line, look: 'dim' as const }))],
    ...lines.slice(first.length).map((line): StyledLine => [indent, { text: line, look: 'dim' }])
  ]
}

const GAP = '  '

function wordsText(own: string, best: string): string {
  if (own === '' && best === '') return ''
  if (own === best) return `both: ${own}`
  return [own === '' ? '' : `it: ${own}`, best === '' ? '' : `best: ${best}`].filter((one) => one !== '').join('; ')
}
