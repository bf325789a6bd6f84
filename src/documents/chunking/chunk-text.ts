import { type Fragments, type Heading, STRENGTH, toStrength } from './fragments.ts'
import { measureLetters } from './measure-letters.ts'
import { readFragments } from './read-fragments.ts'

/** `section`: the headings above all of the chunk, the outermost first. */
export type TextChunk = { text: string; section: readonly string[] }

/** The largest chunk, in letters (see `measureLetters`): a search splits a larger text into passages by itself. */
export const CHUNK_MAX = 2000

/** Among equally strong borders, one that leaves this much on both sides is preferred. */
const CHUNK_MIN = 600

/** For a stronger border, this much on both sides is enough. */
const CHUNK_LEAST = 200

/**
 * Splits a text into chunks at its natural borders, in order: a text that is too large is split in two at its strongest border, then each
 * half is. Among equally strong borders, a hash of the text around each decides: so an edit changes the chunks around it, and no others. A
 * text that fits into one chunk is not examined.
 */
export function* chunkText(text: string): Generator<TextChunk> {
  if (text.length <= CHUNK_MAX && measureLetters(text, { start: 0, end: text.length }) <= CHUNK_MAX) {
    const whole = text.trim()
    if (whole !== '') yield { text: whole, section: [] }
    return
  }
  const fragments = readFragments(text)
  const highest = indexRanks(fragments.ranks)
  const findSection = createHeadingPath(fragments.headings)
  const left: Span[] = [{ from: 0, to: fragments.starts.length }]
  for (let span = left.pop(); span !== undefined; span = left.pop()) {
    if (span.from === span.to) continue
    if (span.to - span.from === 1 || measureSpan(fragments, span) <= CHUNK_MAX) {
      yield { text: joinFragments(text, fragments, span), section: findSection(span) }
      continue
    }
    const cut = chooseCut(fragments, highest, span)
    left.push({ from: cut, to: span.to }, { from: span.from, to: cut })
  }
}

/** A half-open range of fragments. */
type Span = { from: number; to: number }

function measureSpan({ sums, leads }: Fragments, { from, to }: Span): number {
  return (sums[to] ?? 0) - (sums[from] ?? 0) + (leads.get(from)?.size ?? 0)
}

/** Returns the fragment before which a span is split. */
function chooseCut({ ranks, sums }: Fragments, highest: FindHighest, { from, to }: Span): number {
  const strongest = (least: number): { at: number; strength: number } => {
    const first = findFirstOver(sums, { from: from + 1, to }, (sums[from] ?? 0) + least)
    const last = findFirstOver(sums, { from: first, to }, (sums[to] ?? 0) - least + 1)
    const at = highest(first, last)
    return { at, strength: at < 0 ? -1 : toStrength(ranks[at] ?? 0) }
  }
  const any = strongest(1)
  const even = strongest(CHUNK_MIN)
  if (even.strength === any.strength) return even.at
  const uneven = strongest(CHUNK_LEAST)
  if (uneven.strength === any.strength) return uneven.at
  if (any.strength >= STRENGTH.HEADING) return any.at
  if (uneven.strength > even.strength) return uneven.at
  return even.strength > STRENGTH.STICK ? even.at : any.at
}

/** Finds the first place from `from` on whose sum is `sum` or more; `to` if there is none. */
function findFirstOver(sums: readonly number[], { from, to }: Span, sum: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sums[middle] ?? 0) < sum) low = middle + 1
    else high = middle
  }
  return low
}

/** Finds the place of the highest rank from `from` up to before `to`, the first of equal ones; -1 if the range is empty. */
type FindHighest = (from: number, to: number) => number

/** Builds a search tree in linear time, which finds the highest rank of a range in logarithmic time. */
function indexRanks(ranks: readonly number[]): FindHighest {
  const count = ranks.length
  // A tree of places: node n is the parent of 2n and 2n + 1, the leaves are the second half.
  const tree = new Int32Array(2 * count)
  const better = (one: number, other: number): number => {
    if (one < 0 || other < 0) return Math.max(one, other)
    const difference = (ranks[one] ?? 0) - (ranks[other] ?? 0)
    return difference > 0 || (difference === 0 && one < other) ? one : other
  }
  for (let place = 0; place < count; place++) tree[count + place] = place
  for (let node = count - 1; node > 0; node--) tree[node] = better(tree[2 * node] ?? -1, tree[2 * node + 1] ?? -1)
  return (from, to) => {
    let best = -1
    for (let left = from + count, right = to + count; left < right; left >>>= 1, right >>>= 1) {
      if (left % 2 === 1) best = better(best, tree[left++] ?? -1)
      if (right % 2 === 1) best = better(best, tree[--right] ?? -1)
    }
    return best
  }
}

/**
 * Creates a function that returns the headings above all of a span. It must be called with spans in their order. A span of headings
 * alone is below its last one.
 */
function createHeadingPath(
  headings: ReadonlyMap<number, Heading>
): (span: { from: number; to: number }) => readonly string[] {
  let open: readonly Heading[] = []
  return ({ from, to }) => {
    let common: readonly Heading[] | undefined
    for (let place = from; place < to; place++) {
      const heading = headings.get(place)
      if (heading === undefined) common = common === undefined ? open : takeCommon(common, open)
      else open = [...open.filter(({ level }) => level < heading.level), heading]
    }
    return (common ?? open).map(({ words }) => words)
  }
}

function takeCommon(one: readonly Heading[], other: readonly Heading[]): readonly Heading[] {
  if (one === other) return one
  const differs = one.findIndex((heading, depth) => heading !== other[depth])
  return differs < 0 ? one : one.slice(0, differs)
}

function joinFragments(text: string, { starts, ends, leads }: Fragments, { from, to }: Span): string {
  const lead = leads.get(from)
  const parts = lead === undefined ? [] : [lead.text, '\n']
  for (let place = from; place < to; place++) {
    if (place > from) parts.push(separateFragments(text, ends[place - 1] ?? 0, starts[place] ?? 0))
    parts.push(text.slice(starts[place], ends[place]))
  }
  return parts.join('')
}

/** Returns the separator between two fragments: their white space, limited to an empty line. */
function separateFragments(text: string, end: number, start: number): string {
  let feeds = 0
  for (let at = end; at < start && feeds < 2; at++) if (text[at] === '\n') feeds++
  return feeds > 0 ? '\n'.repeat(feeds) : end === start ? '' : ' '
}
