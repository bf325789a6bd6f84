import winkModel from 'wink-eng-lite-web-model'
import winkNLP from 'wink-nlp'
import type { Sentence, Tag, Token } from './token.ts'

/**
 * Cuts a stretch of text into sentences of tagged tokens, with wink-nlp's English model (https://winkjs.org/wink-nlp/).
 * Loading this module takes about 100 ms: only what stores may do so. `start` and `end` are UTF-16 code units; without
 * them the whole text is read. Time grows with the text alone: what has no end in sight is cut after so many tokens.
 */
export function readSentences(text: string, start = 0, end = text.length): Sentence[] {
  const sentences: Sentence[] = []
  for (let from = start; from < end; ) {
    const to = findPieceEnd(text, from, end)
    readPiece(text, { from, to }, sentences)
    from = to
  }
  return sentences
}

/** So much is given to the tagger at a time. */
const PIECE_UNITS = 20_000

/** Longer ones are no sentences that anybody wrote: they are cut. */
const TOKENS_MAX = 160

/** Sentences and parts of speech: what else wink-nlp could do is left out. */
const nlp = winkNLP(winkModel, ['sbd', 'pos'])
const { its } = nlp

/** The tagger takes time that grows with the square of a word: what runs on for longer without a space is cut. */
const WORD_UNITS_MAX = 1_000

/** After the next line break, or space where there is none for long; inside an endless word anywhere but inside a surrogate pair. */
function findPieceEnd(text: string, from: number, end: number): number {
  let word = 0
  for (let at = from; at < end; at++) {
    const unit = text.charCodeAt(at)
    word = unit <= SPACE ? 0 : word + 1
    if (word >= WORD_UNITS_MAX && !isFirstOfPair(unit)) return at + 1
    const units = at - from
    if (units >= PIECE_UNITS && word === 0 && (unit === LF || units >= PIECE_UNITS * 2)) return at + 1
  }
  return end
}

const SPACE = 0x20
const LF = 0x0a

function isFirstOfPair(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

type Piece = { from: number; to: number }

function readPiece(text: string, { from, to }: Piece, sentences: Sentence[]): void {
  const document = nlp.readDoc(text.slice(from, to))
  const tokens = document.tokens()
  const texts = tokens.out(its.value)
  const tags = tokens.out(its.pos) as string[]
  const lemmas = tokens.out(its.lemma as unknown as typeof its.value)
  const spaces = tokens.out(its.precedingSpaces)
  const spans = document.sentences().out(its.span) as unknown as [number, number][]
  let at = from
  let next = 0
  for (const [, last] of spans) {
    let words: Token[] = []
    for (; next <= last; next++) {
      const value = texts[next] as string
      const start = at + (spaces[next] as string).length
      at = start + value.length
      if (tags[next] === 'SPACE') continue
      const token = toToken(value, start, tags[next] as Tag)
      token.lemma = lemmas[next] as string
      const cut = findContraction(value)
      if (cut > 0) words.push(...splitToken(token, cut))
      else words.push(token)
      if (words.length < TOKENS_MAX) continue
      sentences.push(toSentence(words))
      words = []
    }
    if (words.length > 0) sentences.push(toSentence(words))
  }
}

function toToken(text: string, start: number, tag: Tag): Token {
  const lower = text.toLowerCase().replace('’', "'")
  return { text, lower, lemma: lower, tag, start, end: start + text.length }
}

/** Where to cut what the tokenizer left whole at times: "I'm", "they’ve", "don’t". 0 for all other words. */
function findContraction(text: string): number {
  if (text.length > CONTRACTION_UNITS_MAX) return 0
  const mark = Math.max(text.indexOf("'"), text.indexOf('’'))
  if (mark <= 0) return 0
  if (PRONOUN_CONTRACTION.test(text)) return mark
  return NEGATIVE_CONTRACTION.test(text) ? mark - 1 : 0
}

const CONTRACTION_UNITS_MAX = 9
const PRONOUN_CONTRACTION =
  /^(?:i|you|he|she|it|we|they|that|there|here|how|where|let|who|what)['’](?:m|re|s|ve|ll|d)$/i
const NEGATIVE_CONTRACTION = /^(?:do|does|did|is|are|was|were|has|have|had|wo|ca|could|would|should|might|must)n['’]t$/i

function splitToken({ text, start }: Token, cut: number): [Token, Token] {
  const isNegative = text.length - cut === 3 && /^n/i.test(text.slice(cut))
  const first = toToken(text.slice(0, cut), start, isNegative ? 'AUX' : 'PRON')
  return [first, toToken(text.slice(cut), start + cut, isNegative ? 'PART' : 'AUX')]
}

function toSentence(tokens: Token[]): Sentence {
  return { tokens, start: (tokens[0] as Token).start, end: (tokens.at(-1) as Token).end }
}
