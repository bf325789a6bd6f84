import type { MemoryRecord } from '../../contract/snapshot.ts'
import { analyse } from '../analyse/analyse.ts'
import { isCut } from '../analyse/walk-text-tokens.ts'
import { ANSWER } from './answer-constants.ts'
import { type Candidate, readSaidTime } from './answering.ts'

/** A candidate that represents all its near-duplicates; `ids` lists them, its own first. */
type Folded = Candidate & { ids: string[] }

/**
 * Folds near-duplicates into one entry: copies of a document, forwarded mails, a conversation that was imported twice.
 * The first of them represents all. Candidates come best first and are read only on demand: until there are `limit`
 * entries, and a few more, because the next ones are the most likely copies.
 *
 * A long text is a copy regardless of its time, unless another speaker said it. Nearly equal words are enough, as long
 * as no number or name was replaced and no negation was added. A short text is defined by its speaker and time as much
 * as by its words, so it is a copy only with equal words, speaker and time, and never a second turn of the same
 * conversation.
 */
export function foldNearDuplicates(candidates: Iterable<Candidate>, limit: number): Folded[] {
  const kept: { folded: Folded; gist: Gist }[] = []
  let ahead = 0
  for (const candidate of candidates) {
    const gist = createGist(candidate.record)
    const same = kept.find((one) => isSameContent(one.gist, gist))
    if (same !== undefined) same.folded.ids.push(candidate.record.id)
    else if (kept.length < limit) kept.push({ folded: { ...candidate, ids: [candidate.record.id] }, gist })
    if (kept.length === limit && ++ahead > ANSWER.FOLD_AHEAD) break
  }
  return kept.map(({ folded }) => folded)
}

/** The features by which two memories are compared. Features that few comparisons need are computed on demand. */
type Gist = {
  record: MemoryRecord
  sketch: TextSketch
  /** The words in order, without case, punctuation and spaces. */
  words: () => string
  speaker: () => string
  /** Shingles of three terms; undefined for a short text. */
  shingles: () => ReadonlySet<string> | undefined
  telling: () => Telling
}

/**
 * How often a text has each of its numbers and names (words with a digit or a capital), and how many negations it has.
 */
type Telling = { names: ReadonlyMap<string, number>; denials: number }

function createGist(record: MemoryRecord): Gist {
  const text = record.text.slice(0, ANSWER.FOLD_UNITS_MAX)
  return {
    record,
    sketch: sketchText(text),
    words: memoize(() => normaliseWords(text)),
    speaker: memoize(() => normaliseWords(record.speaker ?? '')),
    shingles: memoize(() => buildShingles(text)),
    telling: memoize(() => countTellingWords(text))
  }
}

function isSameContent(left: Gist, right: Gist): boolean {
  if (!mayBeAlike(left.sketch, right.sketch)) return false
  if (left.words() === right.words()) return isLong(left) ? maySpeakAlike(left, right) : isSameMoment(left, right)
  if (!maySpeakAlike(left, right)) return false
  if (computeOverlap(left.shingles(), right.shingles()) < ANSWER.FOLD_ALIKE) return false
  return isTellingAlike(left.telling(), right.telling())
}

function isLong({ shingles }: Gist): boolean {
  return shingles() !== undefined
}

/** Checks whether the speakers are equal or at least one text has none. */
function maySpeakAlike(left: Gist, right: Gist): boolean {
  return left.speaker() === '' || right.speaker() === '' || left.speaker() === right.speaker()
}

function isSameMoment(left: Gist, right: Gist): boolean {
  const [one, other] = [left.record, right.record]
  const isOneTalk = one.conversation !== undefined && one.conversation === other.conversation
  if (isOneTalk && one.position !== other.position) return false
  return left.speaker() === right.speaker() && readSaidTime(one) === readSaidTime(other)
}

/** Returns the part of all shingles that both texts have, 0 to 1. */
function computeOverlap(left: ReadonlySet<string> | undefined, right: ReadonlySet<string> | undefined): number {
  if (left === undefined || right === undefined) return 0
  let both = 0
  for (const one of left) if (right.has(one)) both++
  const any = left.size + right.size - both
  return any === 0 ? 0 : both / any
}

function normaliseWords(text: string): string {
  const words = text.normalize('NFKC').toLowerCase().match(WORDS)
  return words === null ? text.replace(/\s+/g, '') : words.join(' ')
}

const WORDS = /[\p{L}\p{N}\p{M}]+/gu

function buildShingles(text: string): Set<string> | undefined {
  const terms = analyse(text)
  if (terms.length < ANSWER.FOLD_TERMS_MIN) return undefined
  return new Set(terms.slice(2).map((term, at) => `${terms[at]} ${terms[at + 1]} ${term}`))
}

function countTellingWords(text: string): Telling {
  const names = new Map<string, number>()
  let denials = text.match(DENYING_CHARACTERS)?.length ?? 0
  for (const [word] of text.normalize('NFKC').matchAll(WORDS)) {
    if (NAME.test(word)) names.set(word, (names.get(word) ?? 0) + 1)
    if (DENIALS.has(word.toLowerCase())) denials++
  }
  return { names, denials }
}

const NAME = /[\p{N}\p{Lu}]/u

/** Negations in the most common major languages; `t` is the rest of `don't`. */
const DENIALS = new Set(
  't not no never none nor cannot nicht kein keine nie ne pas non jamais nunca não niet geen inte ikke не нет ни'.split(
    ' '
  )
)
const DENYING_CHARACTERS = /[不没沒未無无非]/gu

/**
 * Returns true if both have the same number of negations, and at most one has names and numbers that the other lacks,
 * so that nothing was replaced.
 */
function isTellingAlike(left: Telling, right: Telling): boolean {
  return left.denials === right.denials && (hasAll(left.names, right.names) || hasAll(right.names, left.names))
}

function hasAll(all: ReadonlyMap<string, number>, some: ReadonlyMap<string, number>): boolean {
  return [...some].every(([word, count]) => (all.get(word) ?? 0) >= count)
}

function memoize<T>(work: () => T): () => T {
  let done: { value: T } | undefined
  return () => {
    done ??= { value: work() }
    return done.value
  }
}

/**
 * Numbers that detect quickly that two texts differ. Texts with the same words have the same `whole`; texts with nearly
 * the same words have a similar length and share most `marks`.
 */
type TextSketch = { whole: number; words: number; marks: ReadonlySet<number> }

/**
 * Sketches a text in one pass over its characters, without creating strings. Case, spaces and punctuation do not count.
 */
export function sketchText(text: string): TextSketch {
  const plain = (ASCII_ONLY.test(text) ? text : text.normalize('NFKC')).toLowerCase()
  const marks = new Set<number>()
  let whole = 0
  let words = 0
  let before = 0
  let word = 0
  let inside = false
  for (let at = 0; at <= plain.length; at++) {
    const unit = at < plain.length ? plain.charCodeAt(at) : SPACE
    if (unit === STRAIGHT || unit === CURLY) continue
    if (!isCut(unit)) {
      word = Math.imul(word ^ unit, MIXER)
      inside = true
    } else if (inside) {
      whole = Math.imul(whole ^ word, MIXER)
      const pair = Math.imul(before ^ word, MIXER) >>> 0
      if (pair >>> MARK_SHIFT === 0) marks.add(pair)
      before = word
      words++
      word = 0
      inside = false
    }
  }
  return { whole, words, marks }
}

/** Returns false if the texts certainly differ by more than a few words. Not reliable for texts of a dozen words. */
export function mayBeAlike(left: TextSketch, right: TextSketch): boolean {
  if (left.whole === right.whole) return true
  const [shorter, longer] = left.words < right.words ? [left, right] : [right, left]
  if (shorter.words < LENGTH_ALIKE * longer.words) return false
  let shared = 0
  for (const mark of shorter.marks) if (longer.marks.has(mark)) shared++
  return shared >= MARKS_ALIKE * Math.max(shorter.marks.size, longer.marks.size)
}

const ASCII_ONLY = /^[\0-\x7f]*$/
const SPACE = 0x20
const STRAIGHT = 0x27
const CURLY = 0x2019

/** The prime of FNV-1a, which mixes the bits of a hash. */
const MIXER = 0x01000193

/** One in eight pairs of neighbouring words is a mark: those whose hash begins with three zero bits. */
const MARK_SHIFT = 29

/** Lower than the threshold for the texts themselves, because a sketch is a sample. */
const LENGTH_ALIKE = 0.85
const MARKS_ALIKE = 0.5
