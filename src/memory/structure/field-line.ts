import type { Range } from './block.ts'
import { isSpace } from './text-line.ts'

/** A line, or the text of an item, in the form of a field. Neighbouring lines decide whether it is one. */
export type FieldLine = { key: Range; value: Range; sign: ':' | '=' }

/**
 * Reads `key: value`, `**key:** value`, `key：value` and `key = value`. A key starts with a letter and has few words. A
 * colon needs a space after it, which excludes `10:30` and `https://…`.
 */
export function readFieldLine(text: string, { start, end }: Range): FieldLine | undefined {
  const from = skipSigns(text, { start, end }, MARKS)
  if (!LETTER.test(readLetter(text, from))) return undefined
  const sign = findSign(text, { start: from, end })
  if (sign === undefined) return undefined
  const key = { start: from, end: findTrimmedEnd(text, from, sign) }
  const value = { start: skipSigns(text, { start: sign + 1, end }, MARKS_AND_SPACES), end }
  const isColon = text[sign] !== '='
  if (value.start >= end || !(isColon ? isColonKey(text, key) : isAssigned(text, key, sign))) return undefined
  if (isColon && text[sign] === ':' && value.start === sign + 1) return undefined
  return { key, value, sign: isColon ? ':' : '=' }
}

/** A longer key is prose. */
const KEY_UNITS_MAX = 48
const KEY_WORDS_MAX = 5

const LETTER = /\p{L}/u
const MARKS = '*_`'
const MARKS_AND_SPACES = '*_ \t\u00a0\u3000'

/** Finds the first colon or equals sign, if only key characters precede it. */
function findSign(text: string, { start, end }: Range): number | undefined {
  const limit = Math.min(end, start + KEY_UNITS_MAX)
  for (let at = start; at < limit; at++) {
    const code = text.charCodeAt(at)
    if (code === COLON || code === WIDE_COLON || code === EQUALS) return at > start ? at : undefined
    if (NO_KEY.has(code)) return undefined
  }
  return undefined
}

const COLON = 0x3a
const WIDE_COLON = 0xff1a
const EQUALS = 0x3d

/** Characters that no key contains. */
const NO_KEY: ReadonlySet<number> = new Set([...',;!?<>{}[]|"“”„«»\\@$%^~。、！？…'].map((sign) => sign.charCodeAt(0)))

function isColonKey(text: string, key: Range): boolean {
  const words = text.slice(key.start, key.end).split(/\s+/)
  return words.length <= KEY_WORDS_MAX && key.end - key.start > 1
}

/** Accepts `timeout = 30` and `HOME=/srv`, never `a == b` or `x => y`. */
function isAssigned(text: string, key: Range, sign: number): boolean {
  const after = text.charCodeAt(sign + 1)
  return ASSIGNED.test(text.slice(key.start, key.end)) && after !== EQUALS && after !== 0x3e && after !== 0x7e
}

const ASSIGNED = /^[\p{L}_][\p{L}\p{N}_.-]+$/u

function skipSigns(text: string, { start, end }: Range, signs: string): number {
  let at = start
  while (at < end && signs.includes(text.charAt(at))) at++
  return at
}

function findTrimmedEnd(text: string, start: number, end: number): number {
  let at = end
  while (at > start && (isSpace(text.charCodeAt(at - 1)) || MARKS.includes(text.charAt(at - 1)))) at--
  return at
}

/** Returns the character at a position, with both halves of a surrogate pair. */
function readLetter(text: string, at: number): string {
  const point = text.codePointAt(at)
  return point === undefined ? '' : String.fromCodePoint(point)
}
