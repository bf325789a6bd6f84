/** Universal part-of-speech tags, https://universaldependencies.org/u/pos/, as wink-nlp gives them. */
export type Tag =
  | 'ADJ'
  | 'ADP'
  | 'ADV'
  | 'AUX'
  | 'CCONJ'
  | 'DET'
  | 'INTJ'
  | 'NOUN'
  | 'NUM'
  | 'PART'
  | 'PRON'
  | 'PROPN'
  | 'PUNCT'
  | 'SCONJ'
  | 'SYM'
  | 'VERB'
  | 'X'

/** A word, a number or a mark of a text. `start` and `end` are UTF-16 code units of the whole text. */
export type Token = {
  text: string
  lower: string
  lemma: string
  tag: Tag
  start: number
  end: number
}

/** A sentence, or the part of an over-long one: its tokens without white space, and the range from the first to the last. */
export type Sentence = { tokens: Token[]; start: number; end: number }

/** A token of a sentence with the tags as far as they are mended. */
export type TokenPlace = { tokens: readonly Token[]; tags: Tag[]; i: number }

/** Gives the right tag of a token, or undefined where it has nothing to say. */
export type TagRule = (place: TokenPlace) => Tag | undefined

/** The word so many places on, in lower case; empty outside the sentence. */
export function word({ tokens, i }: TokenPlace, offset = 0): string {
  return tokens[i + offset]?.lower ?? ''
}

/** The tag so many places on. */
export function tag({ tags, i }: TokenPlace, offset = 0): Tag | undefined {
  return tags[i + offset]
}
