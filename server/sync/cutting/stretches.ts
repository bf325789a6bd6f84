import type { Range } from '../../../src/memory/structure/block.ts'
import { DENSE_SIZE, letterSize, unitSize } from './letter-size.ts'
import { splitLong } from './split-long.ts'

/**
 * A text as the smallest parts that are worth keeping whole, in their order, none blank. What lies between two is white space. They lie in
 * arrays, since a hostile text may have a million.
 */
export type Stretches = {
  starts: number[]
  ends: number[]
  /** Of the border before each: its strength, and below that a hash of what follows, so that it depends on nothing that is far away. */
  ranks: number[]
  /** How much text stands before each, in letters; one more for the whole. */
  sums: number[]
  /** Those that are headings. */
  headings: Map<number, Heading>
  /** What a piece has to repeat that begins with a stretch: the head of its table, the opening fence of its code. */
  leads: Map<number, Lead>
}

export type Heading = { level: number; words: string }

export type Lead = { text: string; size: number }

/** The strength of a border, of its rank. */
export function strengthOf(rank: number): number {
  return rank >>> HASH_BITS
}

/** A stretch is cut where it is larger. In letters, see `letterSize`. */
export const STRETCH_MAX = 1600
/** What is longer is not repeated. */
const LEAD_MAX = 300
/** What may stand between two stretches in one piece: an empty line. */
const GAP_SIZE = 2

const HASH_BITS = 26

export type StretchMarks = { strength: number; heading?: Heading | undefined; lead?: Range | undefined }

/** No stretches yet. */
export function noStretches(): Stretches {
  return { starts: [], ends: [], ranks: [], sums: [0], headings: new Map(), leads: new Map() }
}

/** Adds what stands in a range, in several stretches where it is too large for one. */
export function addStretch(text: string, stretches: Stretches, added: Range & StretchMarks): void {
  const { start, end, strength, heading, lead } = added
  const place = stretches.starts.length
  if (heading !== undefined) stretches.headings.set(place, heading)
  if (lead !== undefined) addLead(text, stretches, lead)
  if (isStretch(text, start, end)) push(text, stretches, added)
  // The first part stands behind the border that the whole stands behind.
  else
    for (const part of splitLong(text, { start, end }, STRETCH_MAX))
      push(text, stretches, part.start === start ? { ...part, strength } : part)
}

function isStretch(text: string, start: number, end: number): boolean {
  return (end - start) * DENSE_SIZE <= STRETCH_MAX || letterSize(text, { start, end }) <= STRETCH_MAX
}

function addLead(text: string, { starts, leads }: Stretches, lead: Range): void {
  const size = letterSize(text, lead) + 1
  if (size <= LEAD_MAX) leads.set(starts.length, { text: text.slice(lead.start, lead.end), size })
}

/** This is done for every line of a text: arrays are written to, and no objects made. */
function push(
  text: string,
  { starts, ends, ranks, sums }: Stretches,
  { start, end, strength }: Range & StretchMarks
): void {
  let size = GAP_SIZE
  // FNV-1a over UTF-16 code units.
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at)
    size += unitSize(unit)
    hash = Math.imul(hash ^ unit, 0x01000193)
  }
  starts.push(start)
  ends.push(end)
  ranks.push(strength * 2 ** HASH_BITS + ((hash ^ (hash >>> 15)) >>> (32 - HASH_BITS)))
  sums.push((sums.at(-1) ?? 0) + size)
}
