import type { Group } from '../../contract/groups.ts'
import type { MemoryResponse } from '../../contract/memory-response.ts'
import { QUOTE, quoteLine } from '../output/card-lines.ts'
import { markLine } from '../output/mark-line.ts'
import { shortId } from '../output/short-forms.ts'
import type { Page, Piece, StyledLine } from '../output/styled-line.ts'
import { toPlainLine, toPlainText } from '../output/to-plain-text.ts'
import { wrapPlain, wrapText } from '../output/wrap-text.ts'
import { type SnippetMatch, snippetLines } from './cut-snippet.ts'
import { explanationText, formatDay, formatPeriod, formatPeriodTime, shortScore } from './explanation-text.ts'

/** A response to show: the groups in their order, and a function that finds query terms in a text. */
type ShownResponse = {
  response: MemoryResponse
  groups: readonly Group[]
  placesIn: (text: string) => readonly SnippetMatch[]
  /** Show scores. */
  explain: boolean
}

/**
 * Renders a MemoryResponse for a terminal: hits numbered across the groups, with a heading for each group if there are several.
 */
export function responseLines({ response, groups, placesIn, explain }: ShownResponse, page: Page): StyledLine[] {
  const filled = groups.filter((group) => response[group].length > 0)
  let before = 0
  const lines = filled.flatMap((group) => {
    const hits = toHits(response, group, explain)
    const drawn = groupLines(hits, { ...page, group, placesIn, before })
    before += hits.length
    return [...(filled.length > 1 ? [[{ text: HEADINGS[group], look: 'bold' as const }]] : []), ...drawn, []]
  })
  return lines.slice(0, -1)
}

/** A page, the group that is drawn on it, and the number of hits before it. */
type Sheet = Page & { group: Group; placesIn: ShownResponse['placesIn']; before: number }

function groupLines(hits: readonly Shown[], sheet: Sheet): StyledLine[] {
  const room = sheet.group === 'semantics' ? textRoom(hits, sheet) : 0
  return hits.flatMap((hit, index) => {
    const label = `${sheet.before + index + 1}. `.padStart(LABEL_COLUMNS)
    const lines = sheet.group === 'semantics' ? shortLines(hit, label, { ...sheet, room }) : hitLines(hit, label, sheet)
    return [...lines, ...explanationLines(hit, sheet)]
  })
}

/** Maximum number of lines of a text; `show` prints all of them. */
const TEXT_LINES_MAX = 4

const LABEL_COLUMNS = 4
/** Aligns the end of the quote mark with the end of the labels. */
const QUOTE_INDENT = LABEL_COLUMNS - QUOTE.length
/** Minimum width at which the heading is cut to make room for the id. */
const BESIDE_COLUMNS_MIN = 50

/** Renders a hit with its heading and id on one line and the text below. */
function hitLines(hit: Shown, label: string, sheet: Sheet): StyledLine[] {
  const { width, placesIn } = sheet
  const indent = ' '.repeat(label.length)
  const columns = sheet.columns - indent.length
  const id = formatId(hit)
  const beside = columns >= BESIDE_COLUMNS_MIN || width(hit.head) + id.length + GAP.length <= columns
  const headRoom = beside ? columns - id.length - GAP.length : columns
  const [head] = wrapPlain(hit.head, { columns: headRoom, width, linesMax: 1 }).lines
  const before = hit.head === '' ? '' : GAP
  return [
    [
      label,
      ...(head === undefined ? [] : markLine(head, placesIn(hit.head), 'note')),
      { text: beside ? before + id : '', look: 'dim' }
    ],
    ...textLines(hit.text, { ...sheet, columns }).map((line) => quoteLine(line, QUOTE_INDENT)),
    ...(beside ? [] : [[indent, { text: id, look: 'dim' as const }]])
  ]
}

/** Renders a short text completely, and of a longer one the snippet with the most query terms. */
function textLines(text: string, { columns, width, placesIn }: Sheet): StyledLine[] {
  return snippetLines(text, placesIn(text), { columns, width, linesMax: TEXT_LINES_MAX })
}

/** Returns the width of the text column: the width of the longest text, limited by the space beside the longest heading. */
function textRoom(hits: readonly Shown[], { columns, width }: Page): number {
  const ends = Math.max(0, ...hits.map((hit) => width(hit.head) + GAP.length + formatId(hit).length))
  const left = columns - LABEL_COLUMNS - ends - GAP.length
  return Math.min(left, Math.max(0, ...hits.map(({ text }) => width(text))))
}

const GAP = '  '

function formatId({ source, others }: Shown): string {
  return others === '' ? shortId(source) : `${shortId(source)} ${others}`
}

/** Renders text, heading and id on one line if they fit, and otherwise the text first. */
function shortLines(hit: Shown, label: string, sheet: Sheet & { room: number }): StyledLine[] {
  const { columns, width, room, placesIn } = sheet
  const end: Piece[] = [
    { text: hit.head, look: 'note' },
    { text: GAP + formatId(hit), look: 'dim' }
  ]
  if (width(hit.text) <= room) {
    const text = markLine({ text: hit.text, start: 0 }, placesIn(hit.text))
    return [[label, ...text, ' '.repeat(room - width(hit.text)) + GAP, ...end]]
  }
  const indent = ' '.repeat(label.length)
  const whole = wrapPlain(hit.text, { columns: columns - label.length, width, linesMax: TEXT_LINES_MAX })
  const lines = whole.lines.map((line) => markLine(line, placesIn(hit.text)))
  const fits = width(hit.head) + GAP.length + formatId(hit).length <= columns - label.length
  const ends: StyledLine[] = fits
    ? [[indent, ...end]]
    : [hit.head, formatId(hit)].map((text) => [indent, { text, look: 'dim' }])
  return [
    ...lines.map((line, at): StyledLine => (at === 0 ? [label, ...line] : quoteLine(line, QUOTE_INDENT))),
    ...ends
  ]
}

function explanationLines({ explanation }: Shown, { columns, width }: Page): StyledLine[] {
  const indent = ' '.repeat(LABEL_COLUMNS)
  return explanationText(explanation)
    .flatMap((text) => wrapText(text, { columns: columns - indent.length, width }))
    .map((text): StyledLine => [indent, { text, look: 'dim' }])
}

/**
 * The displayed parts of an entry, as plain text. `source` is the id of the entry's best memory, for `show`; `others` tells how
 * many more memories support it.
 */
type Shown = { source: string; others: string; head: string; text: string; explanation: unknown }

/** Headings of the groups. */
const HEADINGS: Readonly<Record<Group, string>> = {
  semantics: 'Facts',
  procedures: 'How-tos, preferences, rules',
  episodes: 'Episodes',
  sources: 'Sources'
}

/** Converts the entries of a group for display, with their scores if `explain` is set. */
function toHits(response: MemoryResponse, group: Group, explain: boolean): Shown[] {
  const scoreText = ({ score }: { score: number }): string => (explain ? shortScore(score) : '')
  if (group === 'semantics') return response.semantics.map((entry) => factShown(entry, scoreText(entry)))
  if (group === 'procedures') return response.procedures.map((entry) => procedureShown(entry, scoreText(entry)))
  if (group === 'episodes') return response.episodes.map((entry) => episodeShown(entry, scoreText(entry)))
  return response.sources.map((entry) => sourceShown(entry, scoreText(entry)))
}

function factShown(entry: MemoryResponse['semantics'][number], score: string): Shown {
  const since = entry.valid_from === null ? '' : `since ${formatDay(entry.valid_from)}`
  const until = entry.valid_to === null ? '' : `until ${formatDay(entry.valid_to)}`
  return {
    ...toCommon(entry),
    others: more(entry, 'more'),
    head: words(since, until, score),
    text: [entry.subject, entry.predicate, entry.value].map((part) => toPlainLine(part)).join('  ')
  }
}

function procedureShown(entry: MemoryResponse['procedures'][number], score: string): Shown {
  const steps = (entry.steps ?? []).map((step, index) => `\n${index + 1}. ${step}`).join('')
  const head = words(entry.kind.replace('_', '-'), score)
  return { ...toCommon(entry), others: more(entry, 'more'), head, text: tidyText(entry.statement + steps) }
}

function episodeShown(entry: MemoryResponse['episodes'][number], score: string): Shown {
  const time = formatPeriod(entry.started_at, entry.ended_at)
  const head = words(time, entry.participants.join(', '), score)
  return { ...toCommon(entry), head, text: tidyText(entry.summary) }
}

function sourceShown(entry: MemoryResponse['sources'][number], score: string): Shown {
  const over = entry.superseded_by === undefined ? '' : `corrected by ${shortId(entry.superseded_by)}`
  const head = words(formatPeriodTime(entry.timestamp), entry.speaker ?? '', entry.title ?? '', over, score)
  return { ...toCommon(entry), others: more(entry, 'copy', 'copies'), head, text: tidyText(entry.text) }
}

type Common = { source_ids: string[]; explanation?: unknown }

function toCommon({ source_ids, explanation }: Common): Pick<Shown, 'source' | 'others' | 'explanation'> {
  return { source: source_ids[0] ?? '', others: '', explanation }
}

/** Formats the number of further memories, such as `and 2 copies` for an entry of three memories. */
function more({ source_ids }: Common, one: string, many = one): string {
  const others = source_ids.length - 1
  return others < 1 ? '' : `and ${others} ${others === 1 ? one : many}`
}

/** Removes surrounding white space and empty lines from a text. */
export function tidyText(text: string): string {
  return toPlainText(text)
    .trim()
    .replace(/\n\s*\n/g, '\n')
}

function words(...parts: string[]): string {
  return parts
    .map(toPlainLine)
    .filter((part) => part !== '')
    .join('  ')
}
