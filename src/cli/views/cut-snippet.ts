import { type Mark, markLine } from '../output/mark-line.ts'
import type { StyledLine } from '../output/styled-line.ts'
import { type Room, wrapPlain } from '../output/wrap-text.ts'

/** A query term in a text, with its weight. An unmarked one counts for the choice of the snippet only. */
export type SnippetMatch = Mark & { term: string; weight: number; unmarked?: true }

/** A text or a part of it, with marked terms. Starts with `…` if text before it was cut. */
export type Snippet = { text: string; marks: Mark[] }

/**
 * Wraps a plain text with its matches marked. A text that does not fit the room is cut to the snippet with the most query terms.
 */
export function snippetLines(text: string, found: readonly SnippetMatch[], room: Room): StyledLine[] {
  const whole = wrapPlain(text, room)
  const marked = found.filter(({ unmarked }) => unmarked !== true)
  if (!whole.cut) return whole.lines.map((line) => markLine(line, marked))
  const shown = whole.lines.reduce((sum, line) => sum + line.text.length, 0)
  const snippet = cutSnippet(text, found, shown)
  return wrapPlain(snippet.text, room).lines.map((line) => markLine(line, snippet.marks))
}

/** Maximum share of a snippet before the first query term. */
const LEAD_PART = 0.3
/** A snippet may start this many UTF-16 code units before the first query term, however short its lines are: at its label. */
const LEAD_UNITS_MIN = 30
/** Factor by which each repetition of a term counts less. */
const REPEAT_FACTOR = 0.5

/**
 * Returns the part of a text with the most query terms within `units` UTF-16 code units, starting at a sentence or at least at a
 * word. The end is not cut: the caller does that.
 */
export function cutSnippet(text: string, found: readonly SnippetMatch[], units: number): Snippet {
  const best = bestWindow(found, units * (1 - LEAD_PART))
  const first = best?.start ?? 0
  const from = (best?.end ?? 0) <= units ? 0 : findStart(text, first, units)
  const marked = found.filter(({ unmarked }) => unmarked !== true)
  if (from === 0) return { text, marks: marked }
  const shift = from - CUT.length
  const marks = marked.filter(({ start }) => start >= from)
  return {
    text: CUT + text.slice(from),
    marks: marks.map(({ start, end }) => ({ start: start - shift, end: end - shift }))
  }
}

const CUT = '…'

/** Finds the earliest window with the highest total weight, from its first to its last match. */
function bestWindow(found: readonly SnippetMatch[], units: number): Mark | undefined {
  const times = new Map<string, number>()
  let weight = 0
  let first = 0
  let best: (Mark & { weight: number }) | undefined
  for (const { term, weight: one, end } of found) {
    const known = times.get(term) ?? 0
    times.set(term, known + 1)
    weight += one * REPEAT_FACTOR ** known
    for (let left = found[first]; left !== undefined && end - left.start > units; left = found[++first]) {
      const count = (times.get(left.term) ?? 1) - 1
      times.set(left.term, count)
      weight -= left.weight * REPEAT_FACTOR ** count
    }
    const start = found[first]?.start
    if (start !== undefined && weight > (best?.weight ?? 0) + EPSILON) best = { start, end, weight }
  }
  return best
}

/** Smaller differences are rounding errors. */
const EPSILON = 1e-9

/**
 * Finds the start of the sentence around `at`, or of a word shortly before it. Near the end of the text, starts earlier so that
 * the snippet fills its space.
 */
function findStart(text: string, at: number, units: number): number {
  const latest = Math.floor(text.length - units * FILLED_PART)
  const from = Math.max(0, at - Math.max(Math.floor(units * LEAD_PART), LEAD_UNITS_MIN))
  if (latest < from) return startIn(text.slice(0, at), Math.max(0, latest), 'first')
  return startIn(text.slice(0, at), from, 'last')
}

/** The share of the space that text fills; line breaks leave the rest empty. */
const FILLED_PART = 0.9

/** Finds the first or last sentence that starts at or after `from`, or else the first word, or else the end of the text. */
function startIn(text: string, from: number, which: 'first' | 'last'): number {
  if (from === 0) return 0
  const tail = text.slice(from)
  const sentence = [...tail.matchAll(SENTENCE_END)].at(which === 'first' ? 0 : -1)
  if (sentence !== undefined) return from + sentence.index + sentence[0].length
  const space = tail.search(/\s\S/)
  return space < 0 ? text.length : from + space + 1
}

/** Matches the end of a sentence or line, with the white space after it. */
const SENTENCE_END = /[.!?…]["'”’»)\]]*\s+|[。！？][」』”’）]*\s*|\n\s*/g
