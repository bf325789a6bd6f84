/**
 * One spelling for what readers take as the same word: Latin, Greek and Cyrillic lose their accents, Arabic and Hebrew
 * their optional vowel signs, digits of every script become 0 to 9. In other scripts marks are vowels and stay.
 * Expects lower-case NFKC.
 */
export function foldWord(word: string): string {
  let folded = word.replace(INVISIBLE_CHARACTERS, '')
  if (STRIPPED_SCRIPTS.test(folded)) folded = folded.normalize('NFD').replace(OPTIONAL_MARKS, '').normalize('NFC')
  folded = folded.replace(LETTERS, (letter) => LETTER_SPELLINGS.get(letter) ?? letter)
  return folded.replace(FOREIGN_DIGITS, digitOf)
}

const INVISIBLE_CHARACTERS =
  /[\u00ad\u034f\u061c\u0640\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e01ef}]/gu
const STRIPPED_SCRIPTS =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Inherited}]/u
const OPTIONAL_MARKS =
  /[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]/g

/** Letters that no decomposition takes apart, and the final sigma. */
const LETTER_SPELLINGS = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ı', 'i'],
  ['ħ', 'h'],
  ['ŧ', 't'],
  ['ς', 'σ']
])
const LETTERS = /[ßæœøłđðþıħŧς]/g

/** Digits beyond ASCII. Every script's ten follow each other. */
const FOREIGN_DIGITS = /[^\P{Nd}0-9]/gu

function digitOf(digit: string): string {
  const codePoint = digit.codePointAt(0) ?? 0
  const zero = DIGIT_ZEROS.findLast((start) => start <= codePoint)
  return zero !== undefined && codePoint < zero + 10 ? String(codePoint - zero) : digit
}

/** Code points of the zero of each script in common use, ascending. */
const DIGIT_ZEROS = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6, 0x0e50,
  0x0ed0, 0x0f20, 0x1040, 0x17e0, 0x1810
]
