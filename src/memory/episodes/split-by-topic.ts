import type { Turn } from './turn.ts'

/** An episode rarely has more turns than the maximum or fewer than the minimum. */
const TURNS_MAX = 36
const TURNS_MIN = 8

/** Number of turns compared on either side of a gap. */
const BLOCK_TURNS = 6

/**
 * Splits a long series of turns where its vocabulary changes most, as TextTiling does (Hearst 1997,
 * https://aclanthology.org/J97-1003/). The similarity of the turns before and after each gap forms a curve, and its
 * deepest valleys become the borders. A series of up to 36 turns stays whole.
 */
export function splitByTopic(turns: readonly Turn[]): Turn[][] {
  if (turns.length <= TURNS_MAX) return [[...turns]]
  const depths = computeDepths(computeLikenesses(turns))
  return splitSection(depths, { from: 0, to: turns.length }).map(({ from, to }) => turns.slice(from, to))
}

type Piece = { from: number; to: number }

/** Splits at the deepest gap, repeatedly, until no section is too long. Gap i stands before turn i. */
function splitSection(depths: Float64Array, whole: Piece): Piece[] {
  const done: Piece[] = []
  const open = [whole]
  for (let piece = open.pop(); piece !== undefined; piece = open.pop()) {
    if (piece.to - piece.from <= TURNS_MAX) {
      done.push(piece)
      continue
    }
    const cut = findDeepest(depths, piece)
    open.push({ from: cut, to: piece.to }, { from: piece.from, to: cut })
  }
  return done
}

/** Searches away from both ends, and returns a gap near the middle if all are alike. This bounds the work. */
function findDeepest(depths: Float64Array, { from, to }: Piece): number {
  const margin = Math.max(TURNS_MIN, Math.floor((to - from) / 8))
  let best = Math.floor((from + to) / 2)
  for (let gap = from + margin; gap <= to - margin; gap++) if ((depths[gap] ?? 0) > (depths[best] ?? 0)) best = gap
  return best
}

/** Computes the cosine similarity of the word counts before and after each gap, with two sliding windows. */
function computeLikenesses(turns: readonly Turn[]): Float64Array {
  const values = new Float64Array(turns.length)
  const before = new Map<string, number>()
  const after = new Map<string, number>()
  for (const turn of turns.slice(0, BLOCK_TURNS)) countWords(after, turn, 1)
  for (let gap = 1; gap < turns.length; gap++) {
    const passed = turns[gap - 1]
    countWords(after, passed, -1)
    countWords(after, turns[gap - 1 + BLOCK_TURNS], 1)
    countWords(before, passed, 1)
    countWords(before, turns[gap - 1 - BLOCK_TURNS], -1)
    values[gap] = cosine(before, after)
  }
  return values
}

function countWords(words: Map<string, number>, turn: Turn | undefined, by: 1 | -1): void {
  for (const word of turn?.words ?? []) {
    const times = (words.get(word) ?? 0) + by
    if (times === 0) words.delete(word)
    else words.set(word, times)
  }
}

function cosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let dot = 0
  for (const [word, count] of a) dot += count * (b.get(word) ?? 0)
  return dot === 0 ? 0 : dot / Math.sqrt(sumSquares(a) * sumSquares(b))
}

function sumSquares(words: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const countWords of words.values()) sum += countWords * countWords
  return sum
}

/** How many gaps away a peak may lie and still bound a valley. */
const PEAK_GAPS_MAX = 24

/** Computes how far the similarity at each gap lies below the peaks on both sides of it. */
function computeDepths(values: Float64Array): Float64Array {
  const depths = new Float64Array(values.length)
  for (let gap = 1; gap < values.length; gap++)
    depths[gap] = findPeak(values, gap, -1) + findPeak(values, gap, 1) - 2 * (values[gap] ?? 0)
  return depths
}

function findPeak(values: Float64Array, gap: number, step: 1 | -1): number {
  let top = values[gap] ?? 0
  for (let away = 1; away <= PEAK_GAPS_MAX; away++) {
    const at = gap + step * away
    const value = values[at]
    if (at < 1 || value === undefined || value < top) break
    top = value
  }
  return top
}
