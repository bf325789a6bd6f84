import { splitWords } from '../language/split-words.ts'

/**
 * Returns the key by which names are compared: spellings of one name have the same key. Folds compatibility forms and
 * case, drops possessive endings, quotes, closing marks, leading articles and honorifics, and collapses white space. A
 * name that would become empty stays unchanged. `toEntityKey(toEntityKey(x))` equals `toEntityKey(x)`.
 *
 *     "Dr. Ann Lee's" -> "ann lee"      "The  ACME" -> "acme"      "Ann.Lee@X.org" -> "ann.lee@x.org"
 */
export function toEntityKey(name: string): string {
  const folded = PLAIN.test(name) ? name.toLowerCase() : foldCase(name)
  if (SIMPLE.test(folded)) return folded
  let key = normaliseSpaces(folded)
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const rest = stripName(key)
    if (rest === '' || rest === key) return key
    key = rest
  }
  return key
}

/** Maximum number of passes, because removing one part can uncover another. Real names need two or three. */
const ROUNDS_MAX = 20

/** ASCII needs only case folding. */
const PLAIN = /^[\x20-\x7e]*$/

/** A single word of lower-case letters and digits, from which nothing can be dropped. */
const SIMPLE = /^[a-z0-9]+$/

/** Converts to upper case first, so that ß and ss, ς and σ become equal. */
function foldCase(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC').replace(TYPED, "'")
}

/** Apostrophes in common use. */
const TYPED = /[‘’ʼ`´]/g

/** Removes possessive endings, marks at either end, and titles. Time grows linearly with the length. */
function stripName(name: string): string {
  const text = name.includes("'") ? name.replace(POSSESSIVE, '') : name
  let [start, end] = [0, text.length]
  for (;;) {
    while (start < end && BEFORE.includes(text.charAt(start))) start++
    while (end > start && AFTER.includes(text.charAt(end - 1))) end--
    const space = text.indexOf(' ', start)
    if (space < 0 || space >= end || !isTitle(text.slice(start, space))) return text.slice(start, end)
    start = space + 1
  }
}

/** `Ann's`, and the lone apostrophe of `James'`. */
const POSSESSIVE = /(?<=[\p{L}\p{N}.])'s(?![\p{L}\p{N}'])|(?<=s)'(?![\p{L}\p{N}'])/gu

/** Quotes and brackets around a name, the sign of `@mira`, and marks after it, including the dots of `U.S.` and `Inc.`. */
const BEFORE = ' "\'“”„«»([{*_@'
const AFTER = ' "\'“”„«»)]}*_.,;:!?'

/** Collapses white space, including control and format characters. */
function normaliseSpaces(name: string): string {
  return name.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
}

function isTitle(word: string): boolean {
  const plain = word.endsWith('.') ? word.slice(0, -1) : word
  return ARTICLES.has(plain) || HONORIFICS.has(plain)
}

/** Words before a name that are not part of it, without a final full stop. */
const ARTICLES: ReadonlySet<string> = new Set(['the', 'a', 'an'])

/** Forms of address and academic titles. */
export const HONORIFICS: ReadonlySet<string> = new Set(
  splitWords(`
    mr, mrs, ms, mx, miss, mister, madam, mme, mlle, herr, frau, señor, señora, sir, dr, doctor, prof,
    professor, rev, reverend, fr, hon, capt, captain, sgt, lt, col
  `)
)
