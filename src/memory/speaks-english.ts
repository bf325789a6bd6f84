import { FUNCTION_WORDS } from './function-words.ts'

/**
 * Whether a stretch of text is to be read by the rules for English sentences. A guess by its small words: short or odd
 * texts count as English unless they show another language, and what is mostly in another script never does.
 */
export function speaksEnglish(text: string): boolean {
  const sample = text.slice(0, SAMPLE_UNITS)
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  const latin = sample.match(/\p{Script=Latin}/gu)?.length ?? 0
  if (letters === 0 || latin < letters * LATIN_SHARE_MIN) return false
  const counts = new Map<string, number>()
  for (const word of sample.toLowerCase().match(/[\p{L}'’]+/gu) ?? []) {
    for (const language of LANGUAGES.get(word.replace('’', "'")) ?? []) {
      counts.set(language, (counts.get(language) ?? 0) + 1)
    }
  }
  const english = counts.get('english') ?? 0
  return Math.max(0, ...counts.values()) <= english || counts.size === 0
}

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
