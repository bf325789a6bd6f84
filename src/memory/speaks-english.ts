import { AMBIGUOUS_WORDS, FUNCTION_WORDS, NAME_OPENERS, NAME_PARTICLES } from './function-words.ts'

/**
 * Whether a stretch of text is to be read by the rules for English sentences. A guess by its small words: short or odd
 * texts count as English unless they show another language, and what is mostly in another script never does. Parts of
 * names show none.
 */
export function speaksEnglish(text: string): boolean {
  const sample = text.slice(0, SAMPLE_UNITS)
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  const latin = sample.match(/\p{Script=Latin}/gu)?.length ?? 0
  if (letters === 0 || latin < letters * LATIN_SHARE_MIN) return false
  const shown = evidence(sample)
  const english = shown.get('english') ?? 0
  return Math.max(0, ...shown.values()) <= english + MARGIN
}

/** How much of each language a text shows: its small words, those that may be English ones or names by half. */
function evidence(sample: string): Map<string, number> {
  const shown = new Map<string, number>()
  let isAfterEnglish = true
  for (const { 0: written, index } of sample.matchAll(WORD)) {
    const word = written.toLowerCase().replace('’', "'")
    const languages = ENGLISH_GENITIVE.test(word) ? [ENGLISH] : (LANGUAGES.get(word) ?? [])
    const isName = languages.length > 0 && isInName(sample, { written, word, index })
    const weight = isAfterEnglish && AMBIGUOUS_WORDS.has(written) ? AMBIGUOUS : 1
    for (const language of languages) {
      if (language === ENGLISH) shown.set(language, (shown.get(language) ?? 0) + 1)
      else if (!isName) shown.set(language, (shown.get(language) ?? 0) + weight)
    }
    isAfterEnglish = CAPITALISED.test(written) || languages.includes(ENGLISH)
  }
  return shown
}

const ENGLISH = 'english'
const WORD = /[\p{L}'’]+/gu

/** `Ann's`; Dutch sets the apostrophe too, but after vowels. */
const ENGLISH_GENITIVE = /^\p{L}+[^aeiouy\P{L}]'s$/u

type Place = { written: string; word: string; index: number }

/** `Die` in `we watched Die Hard`, `de la` in `Juan de la Cruz`, `Las` in `Las Vegas`. */
function isInName(sample: string, { written, word, index }: Place): boolean {
  const before = sample.slice(Math.max(0, index - AROUND_UNITS), index)
  const opens = SENTENCE_START.test(before)
  if (CAPITALISED.test(written) && !opens) return true
  if (!(opens ? NAME_OPENERS : NAME_PARTICLES).has(word)) return false
  return (opens || AFTER_NAME.test(before)) && BEFORE_NAME.test(sample.slice(index + word.length, index + AROUND_UNITS))
}

/** So many UTF-16 code units are looked at on either side of a word. */
const AROUND_UNITS = 40

/** Written as names and titles are. In capitals throughout nothing is. */
const CAPITALISED = /^\p{Lu}['’]?\p{Ll}/u
const SENTENCE_START = /(?:^|[\n.!?:;…"'“”„«»‘([{*_>|¿¡–—-])\s*$/u

const PARTICLES = `(?:(?:${[...NAME_PARTICLES].join('|')}) ){0,2}`
const AFTER_NAME = new RegExp(`(?:^|[^\\p{L}])\\p{Lu}[\\p{L}'’]* ${PARTICLES}$`, 'u')
const BEFORE_NAME = new RegExp(`^ ${PARTICLES}\\p{Lu}`, 'u')

/** What a word shows that may be an English one or a name. */
const AMBIGUOUS = 0.5

/** Another language must show by more than such a word. */
const MARGIN = 0.5

/** The beginning tells. */
const SAMPLE_UNITS = 2000
const LATIN_SHARE_MIN = 0.6

/** The languages in which a word is a small one. */
const LANGUAGES: ReadonlyMap<string, readonly string[]> = languagesOfWords()

function languagesOfWords(): Map<string, string[]> {
  const languages = new Map<string, string[]>()
  for (const [language, words] of Object.entries(FUNCTION_WORDS)) {
    for (const word of words.split(' ')) languages.set(word, [...(languages.get(word) ?? []), language])
  }
  return languages
}
