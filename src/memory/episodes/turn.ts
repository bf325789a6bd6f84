import type { MemoryRecord } from '../../contract/snapshot.ts'
import { blankAnnotations } from '../structure/find-annotations.ts'
import { TOPIC_STOP_WORDS } from './topic-stop-words.ts'

/** A memory as part of an episode: its time (ms since 1970), its sentences, and their content words. */
export type Turn = { record: MemoryRecord; atMs: number; sentences: TurnSentence[]; words: string[] }

/** A sentence with its range in the memory's text, in UTF-16 code units, and its content words as stems. */
type TurnSentence = { text: string; start: number; end: number; words: string[] }

/**
 * Converts a memory to a turn. Sentences are found without the tagger, because search never loads it. Only the
 * beginning of a long text is read.
 */
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

/** Maximum number of sentences per turn. */
export const SENTENCES_MAX = 40

/** A mark ends a sentence if white space follows: not in `3.5` or `example.org`. */
const SENTENCE = /[^.!?\n]+(?:[.!?]+(?!\s|$)[^.!?\n]*)*[.!?]*/g

/**
 * Returns the content words of a text, in order, cut to a stem that most forms of a word share. The stemming is coarse
 * on purpose: it only serves to compare two sections of one conversation.
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
