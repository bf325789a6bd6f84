/** What a code point is to the analyser. A run of one kind is one piece of work. */
export const SEPARATOR = 1
/** Letters, digits and marks of scripts that put spaces between words. */
export const WORD = 2
/** Scripts without spaces whose characters are nearly words: Han, kana, Hangul, Bopomofo, Yi. */
export const DENSE = 3
/** Scripts without spaces whose characters are sounds: Thai, Lao, Khmer, Myanmar. */
export const UNSPACED = 4
export const PICTOGRAPH = 5
/** Half of a flag. */
export const REGIONAL = 6
/** Joiners, variation selectors, soft hyphens and skin tones: part of whatever they stand in, and of no meaning here. */
export const INVISIBLE = 7
/** Combining marks: part of the run they stand in. */
export const MARK = 8
export const APOSTROPHE = 9

/** The class of a code point; worked out once per code point, then looked up. Lone surrogates are separators. */
export function characterClass(codePoint: number): number {
  if (codePoint > 0xffff) return astralClass(codePoint)
  const known = CLASSES[codePoint]
  if (known !== undefined && known !== 0) return known
  const found = classify(codePoint)
  CLASSES[codePoint] = found
  return found
}

const CLASSES = new Uint8Array(0x10000)
const ASTRAL = new Map<number, number>()
/** Bound on the table for code points over U+FFFF; all assigned letters and emoji fit several times over. */
const ASTRAL_MAX = 200_000

const INVISIBLES =
  /[\u00ad\u034f\u061c\u0640\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e01ef}]/u
const APOSTROPHES = /['\u2019\u02bc]/u
const UNSPACED_SCRIPTS = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const DENSE_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\u30fc]/u

function astralClass(codePoint: number): number {
  const known = ASTRAL.get(codePoint)
  if (known !== undefined) return known
  const found = classify(codePoint)
  if (ASTRAL.size < ASTRAL_MAX) ASTRAL.set(codePoint, found)
  return found
}

function classify(codePoint: number): number {
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return SEPARATOR
  const character = String.fromCodePoint(codePoint)
  if (APOSTROPHES.test(character)) return APOSTROPHE
  if (INVISIBLES.test(character)) return INVISIBLE
  if (/\p{Regional_Indicator}/u.test(character)) return REGIONAL
  if (/\p{Extended_Pictographic}/u.test(character)) return PICTOGRAPH
  if (!/[\p{L}\p{N}\p{M}]/u.test(character)) return SEPARATOR
  if (/\p{Nd}/u.test(character)) return WORD
  if (UNSPACED_SCRIPTS.test(character)) return UNSPACED
  if (/\p{M}/u.test(character)) return MARK
  return DENSE_SCRIPTS.test(character) ? DENSE : WORD
}
