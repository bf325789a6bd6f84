import { splitWords } from '../language/split-words.ts'

/**
 * How a name is compared: two names that stand for one thing by spelling alone have the same key. Compatibility forms
 * and case are folded; possessive endings, quotes and closing marks, leading articles and honorifics are dropped; white
 * space is collapsed. What would leave nothing is left as it is. `entityKey(entityKey(x))` is `entityKey(x)`.
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

/** What one thing hides another is under is taken off so often; no name needs more than two or three. */
const ROUNDS_MAX = 20

/** ASCII needs no folding but of case. */
const PLAIN = /^[\x20-\x7e]*$/

/** One word of small letters and digits: nothing can be dropped from it. */
const SIMPLE = /^[a-z0-9]+$/

/** Upper case first, so that ß and ss, ς and σ fall together. */
function foldCase(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC').replace(TYPED, "'")
}

/** The apostrophes that people and programs set. */
const TYPED = /[‘’ʼ`´]/g

/** Without possessive endings, marks at either end, and titles before the rest. Time grows with the length alone. */
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

/** Quotes and brackets around a name and marks after it; the dots of `U.S.` and `Inc.` end it too. */
const BEFORE = ' "\'“”„«»([{*_'
const AFTER = ' "\'“”„«»)]}*_.,;:!?'

/** White space, and control and format characters with it. */
function normaliseSpaces(name: string): string {
  return name.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
}

function isTitle(word: string): boolean {
  const plain = word.endsWith('.') ? word.slice(0, -1) : word
  return ARTICLES.has(plain) || HONORIFICS.has(plain)
}

/** Words before a name that are no part of it, in the spelling that `toEntityKey` compares: without a final full stop. */
const ARTICLES: ReadonlySet<string> = new Set(['the', 'a', 'an'])

/** Forms of address and academic titles. */
export const HONORIFICS: ReadonlySet<string> = new Set(
  splitWords(`
    mr, mrs, ms, mx, miss, mister, madam, mme, mlle, herr, frau, señor, señora, sir, dr, doctor, prof,
    professor, rev, reverend, fr, hon, capt, captain, sgt, lt, col
  `)
)
