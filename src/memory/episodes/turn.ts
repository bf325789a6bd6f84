import type { MemoryRecord } from '../../contract/snapshot.ts'
import { blankAnnotations } from '../structure/find-annotations.ts'
import { TOPIC_STOP_WORDS } from './topic-stop-words.ts'

/** A memory as its episode sees it: when it was said (ms since 1970), its sentences, and all their words. */
export type Turn = { record: MemoryRecord; atMs: number; sentences: TurnSentence[]; words: string[] }

/** Words and their place in the memory's text, in UTF-16 code units; the words that mean something, as stems. */
type TurnSentence = { text: string; start: number; end: number; words: string[] }

/** The turn of a memory, its sentences found without a tagger: searching loads none. Of a long text the beginning is read. */
export function toTurn(record: MemoryRecord): Turn {
  const sentences: TurnSentence[] = []
  for (const match of blankAnnotations(record.text.slice(0, TEXT_UNITS_MAX)).matchAll(SENTENCE)) {
    if (sentences.length === SENTENCES_MAX) break
    const text = match[0].trim()
    if (text === '') continue
    sentences.push({ text, start: match.index, end: match.index + match[0].length, words: extractContentWords(text) })
  }
  return { record, atMs: Date.parse(record.at), sentences, words: sentences.flatMap(({ words }) => words) }
}

/** In UTF-16 code units. */
const TEXT_UNITS_MAX = 2_000

/** Of one turn. */
export const SENTENCES_MAX = 40

/** A mark ends a sentence where a blank follows: not in `3.5` or `example.org`. */
const SENTENCE = /[^.!?\n]+(?:[.!?]+(?!\s|$)[^.!?\n]*)*[.!?]*/g

/**
 * The words of a text that say what it is about, in order and cut to a stem that unites most forms of a word. Coarse on
 * purpose: it only says how alike two stretches of one talk are.
 */
function extractContentWords(text: string): string[] {
  const words: string[] = []
  for (const word of text.toLowerCase().match(WORD) ?? []) {
    if (TOPIC_STOP_WORDS.has(word)) continue
    words.push(word.length > 4 ? word.replace(ENDING, '') : word)
  }
  return words
}

const WORD = /[\p{L}\p{N}]{3,40}/gu
const ENDING = /(?:ings?|ies|ied|ed|es|s|ly|y|e)$/
