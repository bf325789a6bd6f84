/**
 * Widens a half-open range in UTF-16 code units so that it cuts no grapheme. Examines only the text around its ends,
 * however long the text is.
 */
export function widenToLetters(text: string, start: number, end: number): { start: number; end: number } {
  return { start: findEdges(text, start).before, end: findEdges(text, end).after }
}

/** Returns the nearest grapheme boundaries at or around `at`. */
function findEdges(text: string, at: number): { before: number; after: number } {
  const edge = { before: at, after: at }
  if (at <= 0 || at >= text.length || !mayJoin(text, at)) return edge
  let from = at - 1
  while (from > 0 && at - from < AROUND_UNITS && !isPlain(text.charCodeAt(from))) from--
  for (const { segment, index } of getLetterSegmenter().segment(text.slice(from, at + AROUND_UNITS))) {
    const last = from + index + segment.length
    if (last === at) return edge
    if (last > at) return { before: from + index, after: last }
  }
  return edge
}

/** Checks whether the code points on either side of `at` may form one grapheme. This is rare. */
function mayJoin(text: string, at: number): boolean {
  const [left, right] = [text.charCodeAt(at - 1), text.charCodeAt(at)]
  if (isPlain(left) && isPlain(right)) return false
  if (isHighHalf(left) && isLowHalf(right)) return true
  return JOINING.test(text.slice(Math.max(0, at - 2), at + 2))
}

/** Recognises Latin without combining marks, and Han, kana and their punctuation, where each unit is a grapheme. */
function isPlain(unit: number): boolean {
  return unit < 0x300 ? unit !== CARRIAGE_RETURN : unit >= 0x3031 && unit < 0xa000 && unit !== 0x3099 && unit !== 0x309a
}

const CARRIAGE_RETURN = 13

function isHighHalf(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

function isLowHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000
}

/** Marks, joiners, emoji, flags, jamo, prefixed letters, and halves of surrogate pairs. */
const JOINING =
  /[\p{M}\p{Cf}\p{Cs}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\r\u0d4e\u0e33\u0eb3\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\uff9e\uff9f\u{111c2}\u{111c3}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}]/u

/** The longest grapheme in use, a family of emoji with skin tones, has about 40 code units. */
const AROUND_UNITS = 64

let shared: Intl.Segmenter | undefined

/** Segments text into graphemes. Created at first use: that takes milliseconds, and most texts never need it. */
export function getLetterSegmenter(): Intl.Segmenter {
  shared ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return shared
}
