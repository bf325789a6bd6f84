import { BEST_QUOTE, QUOTE, quoteLine } from '../output/card-lines.ts'
import { markLine } from '../output/mark-line.ts'
import { shortId } from '../output/short-forms.ts'
import type { Page, Piece, StyledLine } from '../output/styled-line.ts'
import { toPlainLine } from '../output/to-plain-text.ts'
import { cutText, wrapText } from '../output/wrap-text.ts'
import type { EarlierValue, ExchangeTurn, Screen, ScreenEntry } from './choose-screen.ts'
import { type SnippetMatch, snippetLines } from './cut-snippet.ts'
import { explanationText, formatDay, formatPeriodTime, shortScore } from './explanation-text.ts'
import { tidyText } from './response-lines.ts'

/** The screen of a search, with what is needed to draw it. */
type Drawing = Page & {
  placesIn: (text: string) => readonly SnippetMatch[]
  explain: boolean
}

/** Renders the screen of a search: the answer, if there is one, and the closest passages, numbered from 1. */
export function screenLines({ answer, passages }: Screen, drawing: Drawing): StyledLine[] {
  const first = answer === undefined ? [] : [heading('Answer'), ...entryLines(answer, 1, drawing)]
  if (passages.length === 0) return first
  const from = answer === undefined ? 1 : 2
  return [
    ...first,
    ...(answer === undefined ? [] : [[]]),
    heading(answer === undefined ? 'Closest passages' : 'Other passages'),
    ...passages.flatMap((entry, at) => entryLines(entry, from + at, drawing))
  ]
}

function heading(text: string): StyledLine {
  return [{ text, look: 'bold' }]
}

const LABEL_COLUMNS = 4
const INDENT = ' '.repeat(LABEL_COLUMNS)
/** Aligns the end of the quote mark with the end of the labels. */
const QUOTE_INDENT = LABEL_COLUMNS - QUOTE.length
/** Maximum number of lines of a text; `show` prints all of them. */
const TEXT_LINES_MAX = 3
const GAP = '  '

function entryLines(entry: ScreenEntry, number: number, drawing: Drawing): StyledLine[] {
  const notes = noteTexts(entry)
  return [
    headLine(entry, number, drawing),
    ...quotedLines(entry, drawing),
    ...notes.flatMap((text) => indented(text, drawing, 'note')),
    ...(drawing.explain ? explanationLines(entry, drawing) : [])
  ]
}

/** Renders time, speaker and place on one line with the id at its end. The place is shortened first. */
function headLine(entry: ScreenEntry, number: number, { columns, width, placesIn }: Drawing): StyledLine {
  const label = `${number}. `.padStart(LABEL_COLUMNS)
  const time = formatPeriodTime(entry.timestamp)
  const copies = entry.copies === 0 ? '' : ` and ${entry.copies} ${entry.copies === 1 ? 'copy' : 'copies'}`
  const id = `${shortId(entry.id)}${copies}`
  const room = columns - LABEL_COLUMNS - width(id) - GAP.length
  const who = cutText([time, entry.speaker ?? ''].filter((part) => part !== '').join(GAP), room, width)
  const placeRoom = room - width(who) - (who === '' ? 0 : GAP.length)
  const place = placeRoom < PLACE_COLUMNS_MIN ? '' : cutText(placeText(entry), placeRoom, width)
  const link = entry.url ?? undefined
  const pieces: Piece[][] = [
    who === '' ? [] : [...markLine({ text: who, start: 0 }, placesIn(who), 'note')],
    place === '' ? [] : [{ text: place, look: 'note', link }],
    [{ text: id, look: 'dim' }]
  ]
  return [
    label,
    ...pieces.filter((piece) => piece.length > 0).flatMap((piece, at) => (at === 0 ? piece : [GAP, ...piece]))
  ]
}

/** Minimum width of a shortened place. */
const PLACE_COLUMNS_MIN = 8

function placeText({ path, title, url }: ScreenEntry): string {
  return toPlainLine(path ?? title ?? url ?? '')
}

/** Quotes the memory of an entry, or every turn of its exchange with the speaker. `>` marks the best of these turns. */
function quotedLines(entry: ScreenEntry, drawing: Drawing): StyledLine[] {
  const { exchange, joined } = entry
  if (exchange.length === 0)
    return quotedText(entry, drawing, TEXT_LINES_MAX).map((line) => quoteLine(line, QUOTE_INDENT))
  return exchange.flatMap((turn) => {
    const source = [entry, joined].find((one) => one?.id === turn.id)
    const mark = source === entry ? BEST_QUOTE : QUOTE
    return turnLines(turn, source, drawing).map((line) => quoteLine(line, QUOTE_INDENT, mark))
  })
}

/** Renders a turn after its speaker's name. Of a question between two sources, only the end is sure to fit. */
function turnLines(turn: ExchangeTurn, source: ScreenEntry | undefined, drawing: Drawing): StyledLine[] {
  const { columns, width } = drawing
  const name = `${cutText(turn.speaker, NAME_COLUMNS_MAX, width)}: `
  const rest = { ...drawing, columns: columns - width(name) }
  const lines =
    source === undefined
      ? snippetOf({ text: tidyText(turn.text), wanted: findLastWords }, rest, QUESTION_LINES_MAX)
      : quotedText(source, rest, TURN_LINES_MAX)
  return lines.map((line, at) => [at === 0 ? { text: name, look: 'note' } : ' '.repeat(width(name)), ...line])
}

const NAME_COLUMNS_MAX = 16
/** Maximum number of lines of a turn that is a source, and of a question between two of them. */
const TURN_LINES_MAX = 2
const QUESTION_LINES_MAX = 1

/** Locates the end of a text, which asks the question, so that the snippet contains it. */
function findLastWords(text: string): SnippetMatch[] {
  const start = Math.max(text.lastIndexOf(' ', text.length - LAST_WORDS_UNITS), 0)
  return [{ term: text, weight: FACT_WEIGHT, start, end: text.length, unmarked: true }]
}

const LAST_WORDS_UNITS = 20

function quotedText(entry: ScreenEntry, drawing: Drawing, linesMax: number): StyledLine[] {
  const wanted = (text: string): SnippetMatch[] => factMatches(entry, text)
  return snippetOf({ text: tidyText(entry.text), wanted }, drawing, linesMax)
}

/** Renders a short text completely, and of a longer one the snippet around what is wanted or with the most query terms. */
function snippetOf(
  { text, wanted }: { text: string; wanted: (text: string) => SnippetMatch[] },
  { columns, width, placesIn }: Drawing,
  linesMax: number
): StyledLine[] {
  const room = { columns: columns - LABEL_COLUMNS, width, linesMax }
  return snippetLines(text, [...placesIn(text), ...wanted(text)].sort(byStart), room)
}

function byStart(left: SnippetMatch, right: SnippetMatch): number {
  return left.start - right.start || left.end - right.end
}

/** Locates the value of the fact in the text, so that the snippet contains it. */
function factMatches({ fact }: ScreenEntry, text: string): SnippetMatch[] {
  if (fact === undefined || fact.value === '') return []
  const start = text.indexOf(fact.value)
  if (start < 0) return []
  return [
    {
      term: fact.id,
      weight: FACT_WEIGHT,
      start,
      end: start + fact.value.length,
      unmarked: true
    }
  ]
}

/** Weight of the fact's value beside the query terms, whose weights are at most 1. */
const FACT_WEIGHT = 2

/** Returns what the screen adds to the quoted text: earlier values of a fact, its end, and what replaces the text. */
function noteTexts({ fact, before, replaced }: ScreenEntry): string[] {
  const until = fact?.valid_to == null ? '' : `held until ${formatDay(fact.valid_to)}`
  const over = replaced === undefined ? '' : `no longer holds: ${formatReplacement(replaced)}`
  const earlier = before.length === 0 ? '' : `before: ${before.slice(-BEFORE_MAX).map(formatEarlier).join('; ')}`
  return [over, until, earlier].filter((text) => text !== '')
}

/** Number of earlier values that are shown. */
const BEFORE_MAX = 3

function formatEarlier({ value, valid_from, valid_to }: EarlierValue): string {
  const [from, to] = [valid_from, valid_to].map((time) => (time === null ? '' : formatDay(time)))
  const period = from === '' ? `until ${to}` : `${from} to ${to}`
  return `${cutPlain(value)}, ${period}`
}

function formatReplacement({ by, at }: NonNullable<ScreenEntry['replaced']>): string {
  const value = by.startsWith('mem_') ? `corrected by ${shortId(by)}` : cutPlain(by)
  return at === null ? value : `${value}, since ${formatDay(at)}`
}

/** Maximum length of a value in a note. */
const VALUE_UNITS_MAX = 60

function cutPlain(text: string): string {
  const plain = toPlainLine(text)
  return plain.length <= VALUE_UNITS_MAX ? plain : `${plain.slice(0, VALUE_UNITS_MAX - 1)}…`
}

/** Explains an entry, and the other turn of its exchange that is a source after its id. */
function explanationLines({ joined, ...entry }: ScreenEntry, drawing: Drawing): StyledLine[] {
  if (joined === undefined) return reasonLines(entry, drawing)
  const label = indented(shortId(joined.id), drawing, 'dim')
  return [...reasonLines(entry, drawing), ...label, ...reasonLines(joined, drawing)]
}

type Reasons = Pick<ScreenEntry, 'score' | 'explanation' | 'fact'>

function reasonLines({ score, explanation, fact }: Reasons, drawing: Drawing): StyledLine[] {
  const own = explanationText(explanation)
  const ofFact = fact === undefined || fact.explanation === explanation ? [] : explanationText(fact.explanation)
  const texts = [
    `score ${shortScore(score)}`,
    ...own,
    ...(fact === undefined
      ? []
      : [`fact ${shortScore(fact.score)}: ${[fact.subject, fact.predicate, fact.value].map(toPlainLine).join('  ')}`]),
    ...ofFact
  ]
  return texts.flatMap((text) => indented(text, drawing, 'dim'))
}

function indented(text: string, { columns, width }: Page, look: 'note' | 'dim'): StyledLine[] {
  return wrapText(text, { columns: columns - LABEL_COLUMNS, width }).map((line) => [INDENT, { text: line, look }])
}
