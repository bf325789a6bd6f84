import { ARTICLES, HONORIFICS } from './entity-titles.ts'

/**
 * How a name is compared: two names that stand for one thing by spelling alone have the same key. Compatibility forms
 * and case are folded; possessive endings, quotes and closing marks, leading articles and honorifics are dropped; white
 * space is collapsed. What would leave nothing is left as it is. `entityKey(entityKey(x))` is `entityKey(x)`.
 *
 *     "Dr. Ann Lee's" -> "ann lee"      "The  ACME" -> "acme"      "Ann.Lee@X.org" -> "ann.lee@x.org"
 */
export function entityKey(name: string): string {
  const folded = PLAIN.test(name) ? name.toLowerCase() : foldCase(name)
  if (SIMPLE.test(folded)) return folded
  const words = spaced(bare(folded)).split(' ')
  const first = words.findIndex((word, at) => at === words.length - 1 || !isTitle(word))
  const key = words.slice(first).join(' ')
  if (key !== '') return key === folded ? key : entityKey(key)
  return spaced(folded)
}

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

function bare(name: string): string {
  return WORDS.test(name) ? name : name.replace(POSSESSIVE, '').replace(MARKS, '')
}

/** Words of which nothing can be dropped. Compiling the expressions that drop takes 5 ms, at the start of a process. */
const WORDS = /^[a-z0-9]+(?: [a-z0-9]+)*$/

/** `Ann's`, and the lone apostrophe of `James'`. */
const POSSESSIVE = /(?<=[\p{L}\p{N}.])'s(?![\p{L}\p{N}'])|(?<=s)'(?![\p{L}\p{N}'])/gu

/** Quotes and brackets around a name and marks after it; the dots of `U.S.` and `Inc.` end it too. */
const MARKS = /^[\s"'“”„«»([{*_]+|[\s"'“”„«»)\]}*_.,;:!?]+$/gu

/** White space, and control and format characters with it. */
function spaced(name: string): string {
  return name.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
}

function isTitle(word: string): boolean {
  const plain = word.endsWith('.') ? word.slice(0, -1) : word
  return ARTICLES.has(plain) || HONORIFICS.has(plain)
}
