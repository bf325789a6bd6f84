/** Universal part-of-speech tags, https://universaldependencies.org/u/pos/, as wink-nlp returns them. */
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

/** Tags of nouns and names. */
export const NOUN_TAGS: ReadonlySet<Tag> = new Set<Tag>(['NOUN', 'PROPN'])

/** A word, number or mark of a text. `start` and `end` are UTF-16 code units of the whole text. */
export type Token = {
  text: string
  lower: string
  /** The dictionary form of a word that the tagger takes for a verb; other words are not looked up. */
  lemma: string
  tag: Tag
  start: number
  end: number
}

/**
 * A sentence, or part of an over-long one: its tokens without white space, and the range from the first to the last.
 * `repairTags` keeps its result in `tags`.
 */
export type Sentence = { tokens: Token[]; start: number; end: number; tags?: readonly Tag[] | undefined }

/** A token in its sentence with the tags as corrected so far. */
export type TokenPlace = { tokens: readonly Token[]; tags: Tag[]; i: number }

/** Returns the correct tag of a token, or undefined if the rule does not apply. */
export type TagRule = (place: TokenPlace) => Tag | undefined

/** Returns the word `offset` tokens away, in lower case, or an empty text outside the sentence. */
export function word({ tokens, i }: TokenPlace, offset = 0): string {
  return tokens[i + offset]?.lower ?? ''
}

/** Returns the tag `offset` tokens away. */
export function tag({ tags, i }: TokenPlace, offset = 0): Tag | undefined {
  return tags[i + offset]
}
