import { STOP_WORDS } from './stop-words.ts'

/**
 * The words of a text that say what it is about, in order and cut to a stem that unites most forms of a word. Coarse on
 * purpose: it only says how alike two stretches of one talk are.
 */
export function contentWords(text: string): string[] {
  const words: string[] = []
  for (const word of text.toLowerCase().match(WORD) ?? []) {
    if (STOP_WORDS.has(word)) continue
    words.push(word.length > 4 ? word.replace(ENDING, '') : word)
  }
  return words
}

const WORD = /[\p{L}\p{N}]{3,40}/gu
const ENDING = /(?:ings?|ies|ied|ed|es|s|ly|y|e)$/
