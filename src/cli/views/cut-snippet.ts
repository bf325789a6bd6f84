import type { Mark } from '../output/mark-line.ts'

/** Where a text has a word that was asked for, and what the word weighs. */
export type SnippetMatch = Mark & { term: string; weight: number }

/** A part of a text, or all of it, with what stands out in it. Where something was left out before it begins with `…`. */
export type Snippet = { text: string; marks: Mark[] }

/** A snippet begins at most so much of its length before the first word that was asked for. */
const LEAD_PART = 0.3
/** A word that comes again counts half as much each time. */
const AGAIN = 0.5

/**
 * The part of a text that has most of what was asked for within `units` UTF-16 code units, from the start of a sentence or
 * at least of a word. It is not cut at its end: whoever shows it has to.
 */
export function cutSnippet(text: string, found: readonly SnippetMatch[], units: number): Snippet {
  const best = bestWindow(found, units * (1 - LEAD_PART))
  const first = best?.start ?? 0
  const from = (best?.end ?? 0) <= units ? 0 : findStart(text, first, units)
  if (from === 0) return { text, marks: [...found] }
  const shift = from - CUT.length
  const marks = found.filter(({ start }) => start >= from)
  return {
    text: CUT + text.slice(from),
    marks: marks.map(({ start, end }) => ({ start: start - shift, end: end - shift }))
  }
}

const CUT = '…'

/** The earliest of the windows that have most of the weight, from its first to its last find. */
function bestWindow(found: readonly SnippetMatch[], units: number): Mark | undefined {
  const times = new Map<string, number>()
  let weight = 0
  let first = 0
  let best: (Mark & { weight: number }) | undefined
  for (const { term, weight: one, end } of found) {
    const known = times.get(term) ?? 0
    times.set(term, known + 1)
    weight += one * AGAIN ** known
    for (let left = found[first]; left !== undefined && end - left.start > units; left = found[++first]) {
      const count = (times.get(left.term) ?? 1) - 1
      times.set(left.term, count)
      weight -= left.weight * AGAIN ** count
    }
    const start = found[first]?.start
    if (start !== undefined && weight > (best?.weight ?? 0) + EQUAL) best = { start, end, weight }
  }
  return best
}

/** Sums that differ by less were only rounded differently. */
const EQUAL = 1e-9

/**
 * Where the sentence of `at` starts, or the first word of those little before it. Near the end of the text it starts so
 * early that the room is filled.
 */
function findStart(text: string, at: number, units: number): number {
  const latest = Math.floor(text.length - units * FILLED_PART)
  const from = Math.max(0, at - Math.floor(units * LEAD_PART))
  if (latest < from) return startIn(text.slice(0, at), Math.max(0, latest), 'first')
  return startIn(text.slice(0, at), from, 'last')
}

/** Room that lines leave at their ends is about the rest. */
const FILLED_PART = 0.9

/** The first or last sentence that starts in `text` from `from` on, else the first word, else its end. */
function startIn(text: string, from: number, which: 'first' | 'last'): number {
  if (from === 0) return 0
  const tail = text.slice(from)
  const sentence = [...tail.matchAll(SENTENCE_END)].at(which === 'first' ? 0 : -1)
  if (sentence !== undefined) return from + sentence.index + sentence[0].length
  const space = tail.search(/\s\S/)
  return space < 0 ? text.length : from + space + 1
}

/** What ends a sentence or a line, with the spaces after it. */
const SENTENCE_END = /[.!?…]["'”’»)\]]*\s+|[。！？][」』”’）]*\s*|\n\s*/g
