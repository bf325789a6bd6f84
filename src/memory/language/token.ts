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
