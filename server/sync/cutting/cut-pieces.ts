import { STRENGTH } from './border-strength.ts'
import { type HighestRank, highestRank } from './highest-rank.ts'
import { letterSize } from './letter-size.ts'
import { readStretches } from './read-stretches.ts'
import { createSectionPath } from './section-path.ts'
import { type Stretches, strengthOf } from './stretches.ts'

/** `section`: the headings that all of a piece stands under, the outermost first. */
export type Piece = { text: string; section: readonly string[] }

/** A text of this size is a passage: a search cuts what is larger by itself. In letters, see `letterSize`. */
export const PIECE_MAX = 2000
/** Of borders that are equally strong, one is cut that leaves so much on both sides, if there is one. */
const PIECE_MIN = 600
/** For the sake of a stronger border, so much will do. */
const PIECE_LEAST = 200

/**
 * Cuts a text into pieces at its natural borders, in order: what is too large is cut in two at its strongest border, then each half is. Which one of
 * equally strong borders it is, its own surroundings say: so an edit changes the pieces around it, and no others. A text that is a
 * piece as it stands is not looked into.
 */
export function* cutPieces(text: string): Generator<Piece> {
  if (text.length <= PIECE_MAX && letterSize(text, { start: 0, end: text.length }) <= PIECE_MAX) {
    const whole = text.trim()
    if (whole !== '') yield { text: whole, section: [] }
    return
  }
  const stretches = readStretches(text)
  const highest = highestRank(stretches.ranks)
  const sectionOf = createSectionPath(stretches.headings)
  const left: Span[] = [{ from: 0, to: stretches.starts.length }]
  for (let span = left.pop(); span !== undefined; span = left.pop()) {
    if (span.from === span.to) continue
    if (span.to - span.from === 1 || sizeOf(stretches, span) <= PIECE_MAX) {
      yield { text: pieceText(text, stretches, span), section: sectionOf(span) }
      continue
    }
    const cut = cutOf(stretches, highest, span)
    left.push({ from: cut, to: span.to }, { from: span.from, to: cut })
  }
}

/** Some stretches in a row: half-open. */
type Span = { from: number; to: number }

function sizeOf({ sums, leads }: Stretches, { from, to }: Span): number {
  return (sums[to] ?? 0) - (sums[from] ?? 0) + (leads.get(from)?.size ?? 0)
}

function cutOf({ ranks, sums }: Stretches, highest: HighestRank, { from, to }: Span): number {
  const strongest = (least: number): { at: number; strength: number } => {
    const first = firstOver(sums, { from: from + 1, to }, (sums[from] ?? 0) + least)
    const last = firstOver(sums, { from: first, to }, (sums[to] ?? 0) - least + 1)
    const at = highest(first, last)
    return { at, strength: at < 0 ? -1 : strengthOf(ranks[at] ?? 0) }
  }
  const any = strongest(1)
  const even = strongest(PIECE_MIN)
  if (even.strength === any.strength) return even.at
  const uneven = strongest(PIECE_LEAST)
  if (uneven.strength === any.strength) return uneven.at
  if (any.strength >= STRENGTH.HEADING) return any.at
  if (uneven.strength > even.strength) return uneven.at
  return even.strength > STRENGTH.STICK ? even.at : any.at
}

/** The first place from `from` on whose sum is `sum` or more; `to` where there is none. */
function firstOver(sums: readonly number[], { from, to }: Span, sum: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sums[middle] ?? 0) < sum) low = middle + 1
    else high = middle
  }
  return low
}

function pieceText(text: string, { starts, ends, leads }: Stretches, { from, to }: Span): string {
  const lead = leads.get(from)
  const parts = lead === undefined ? [] : [lead.text, '\n']
  for (let place = from; place < to; place++) {
    if (place > from) parts.push(gapBetween(text, ends[place - 1] ?? 0, starts[place] ?? 0))
    parts.push(text.slice(starts[place], ends[place]))
  }
  return parts.join('')
}

/** What stands between two stretches, without white space beyond an empty line. */
function gapBetween(text: string, end: number, start: number): string {
  let feeds = 0
  for (let at = end; at < start && feeds < 2; at++) if (text[at] === '\n') feeds++
  return feeds > 0 ? '\n'.repeat(feeds) : end === start ? '' : ' '
}
