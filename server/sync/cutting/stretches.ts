import type { Range } from '../../../src/memory/structure/block.ts'
import { letterSize } from './letter-size.ts'
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
  if (end - start <= STRETCH_MAX / 4 || letterSize(text, { start, end }) <= STRETCH_MAX)
    push(text, stretches, { start, end, strength })
  else for (const part of splitLong(text, { start, end }, STRETCH_MAX)) push(text, stretches, inherit(part, added))
}

/** The first part of a range stands behind the border that the range stands behind. */
function inherit(part: Range & { strength: number }, { start, strength }: Range & StretchMarks) {
  return part.start === start ? { ...part, strength } : part
}

function addLead(text: string, { starts, leads }: Stretches, lead: Range): void {
  const size = letterSize(text, lead) + 1
  if (size <= LEAD_MAX) leads.set(starts.length, { text: text.slice(lead.start, lead.end), size })
}

function push(text: string, stretches: Stretches, { start, end, strength }: Range & { strength: number }): void {
  const { starts, ends, ranks, sums } = stretches
  starts.push(start)
  ends.push(end)
  ranks.push(strength * 2 ** HASH_BITS + hashOf(text, { start, end }))
  sums.push((sums.at(-1) ?? 0) + letterSize(text, { start, end }) + GAP_SIZE)
}

/** FNV-1a over UTF-16 code units. */
function hashOf(text: string, { start, end }: Range): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> (32 - HASH_BITS)
}
