import type { MemoryRecord } from '../../contract/snapshot.ts'
import { splitWords } from '../language/split-words.ts'
import { blankAnnotations } from '../structure/find-annotations.ts'

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

/**
 * Words of three or more letters that name no topic: function words and words of small talk. Shorter words are ignored
 * anyway.
 */
const TOPIC_STOP_WORDS: ReadonlySet<string> = new Set(
  splitWords(`
    the, and, but, for, nor, yet, with, from, into, onto, over, under, about, after, before, that,
    this, these, those, there, here, then, than, when, where, while, what, which, who, whom, whose,
    why, how, you, your, yours, she, her, hers, him, his, its, our, ours, they, them, their, was,
    were, are, been, being, has, have, had, having, does, did, doing, don, didn, doesn, isn, wasn,
    aren, haven, hasn, won, can, could, couldn, should, would, will, shall, may, might, must, not,
    all, any, both, each, few, more, most, other, some, such, only, own, same, too, very, just, now,
    also, again, once, because, until, through, during, out, off, down, much, many, lot, lots, get,
    gets, got, getting, make, made, makes, making, really, well, yes, yeah, yep, hey, wow, thanks,
    thank, great, good, nice, cool, awesome, amazing, glad, sure, right, okay, like, love, think,
    know, see, say, said, tell, going, gonna, want, let, sounds, sound, been, thing, things,
    something, anything, everything, someone, one, two, way, bit, even, still, always, never, ever,
    back, what, far, definitely, totally, absolutely, actually, feel, feels, feeling, look, looks,
    looking, take
  `)
)
