import winkModel from 'wink-eng-lite-web-model'
import winkNLP from 'wink-nlp'
import type { Sentence, Tag, Token } from './token.ts'

/**
 * Splits a section of text into sentences of tagged tokens, with wink-nlp's English model
 * (https://winkjs.org/wink-nlp/). Loading this module takes about 100 ms, so only code that stores may load it. `start`
 * and `end` are UTF-16 code units; the default is the whole text. Time grows linearly with the text: a sentence without
 * an end is cut after `TOKENS_MAX`.
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

/** Maximum length of text given to the tagger at once. */
const PIECE_UNITS = 20_000

/** Maximum number of tokens per sentence; longer ones are cut. */
const TOKENS_MAX = 160

/** Sentence boundaries and parts of speech; other features of wink-nlp are not loaded. */
const createTagger = () => winkNLP(winkModel, ['sbd', 'pos'])

/**
 * The tagger keeps every word that is new to it, about as many bytes as the text has: after this many UTF-16 units of
 * text it is replaced, which takes about 100 ms and changes no result.
 */
const TAGGER_UNITS = 16 * 1024 * 1024

let tagger = createTagger()
let taggerUnits = 0

/** Returns the tagger for a text of a certain length. */
function takeTagger(units: number): ReturnType<typeof createTagger> {
  if (taggerUnits > TAGGER_UNITS) {
    tagger = createTagger()
    taggerUnits = 0
  }
  taggerUnits += units
  return tagger
}

/** The tagger's time grows with the square of a word's length. Longer words are cut. */
const WORD_UNITS_MAX = 1_000

/**
 * Returns the end of the next part: after a line break, after a space if no line break is near, or anywhere except
 * inside a surrogate pair.
 */
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
  const names = findJoinedNames(text, from, to)
  const { text: restored, inserted } = restoreApostrophes(coverNames(text.slice(from, to), from, names))
  const nlp = takeTagger(restored.length)
  const { its } = nlp
  const document = nlp.readDoc(restored)
  const tokens = document.tokens()
  const texts = tokens.out(its.value)
  const tags = tokens.out(its.pos) as string[]
  const spaces = tokens.out(its.precedingSpaces)
  const spans = document.sentences().out(its.span) as unknown as [number, number][]
  const first = sentences.length
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
      if (token.tag === 'VERB') token.lemma = tokens.itemAt(next).out(its.lemma as unknown as typeof its.value)
      const cut = findContraction(value)
      if (cut > 0) words.push(...splitToken(token, cut))
      else words.push(token)
      if (words.length < TOKENS_MAX) continue
      sentences.push(toSentence(words))
      words = []
    }
    if (words.length > 0) sentences.push(toSentence(words))
  }
  if (inserted.length > 0) moveSentences(sentences.slice(first), from, inserted)
  if (names.length > 0) uncoverNames(text, sentences.slice(first), names)
}

/** Moves sentences to their places in the text as it was written. */
function moveSentences(sentences: readonly Sentence[], from: number, inserted: readonly number[]): void {
  for (const sentence of sentences) {
    for (const token of sentence.tokens) {
      token.start = from + toWritten(token.start - from, inserted)
      token.end = from + toWritten(token.end - from, inserted)
    }
    Object.assign(sentence, toSentence(sentence.tokens))
  }
}

function toToken(text: string, start: number, tag: Tag): Token {
  const lower = text.toLowerCase().replace('’', "'")
  return { text, lower, lemma: lower, tag, start, end: start + text.length }
}

/**
 * Returns where to split a contraction that the tokenizer left whole: "I'm", "they’ve", "don’t". Returns 0 for other
 * words.
 */
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
  return { tokens, start: (tokens[0] as Token).start, end: (tokens.at(-1) as Token).end, tags: undefined }
}

type Range = { start: number; end: number }

/**
 * Finds names that the tokenizer splits at their marks, and whose full stops it takes for the end of a sentence: files,
 * hosts, versions, paths, identifiers, calls and inline code.
 */
function findJoinedNames(text: string, from: number, to: number): Range[] {
  const piece = text.slice(from, to)
  if (!MAYBE_JOINED.test(piece)) return []
  return Array.from(piece.matchAll(JOINED_NAMES), ({ index, 0: { length } }) => ({
    start: from + index,
    end: from + index + length
  }))
}

/** A quick test for the marks in such names. */
const MAYBE_JOINED = /[`_]|\w[.(]\w|\s\/\p{L}/u
const JOINED_NAMES = new RegExp(
  [
    '`[^`\\n]{1,80}`',
    '(?<![\\w@/.-])(?:\\w[\\w-]{0,40}[./]){1,4}(?:js|ts|tsx|jsx|mjs|py|rb|rs|go|java|cpp|css|html|xml|json|ya?ml|toml|ini|env|md|txt|csv|pdf|docx?|xlsx?|zip|png|jpe?g|svg|sql|sh|com|org|net|io|dev|app|ai)(?![\\w@/]|\\.\\w)',
    '(?<![\\w.])v\\d{1,4}(?:\\.\\d{1,6}){1,4}(?![\\w])',
    '(?<![\\w.])[A-Za-z][\\w.]{0,40}\\((?:[^()\\s]|, ){0,80}\\)',
    '(?<![\\w.@/])[A-Za-z][A-Za-z0-9]{0,40}(?:_[A-Za-z0-9]{1,40}){1,6}(?![\\w@])',
    '(?<=\\s)/[A-Za-z][\\w{}./:-]{0,80}[\\w}]'
  ].join('|'),
  'g'
)

/** Writes such names as one word of letters, so that the tokenizer leaves them whole and offsets stay the same. */
function coverNames(piece: string, from: number, names: readonly Range[]): string {
  let covered = ''
  let at = 0
  for (const { start, end } of names) {
    covered += `${piece.slice(at, start - from)}X${'x'.repeat(end - start - 1)}`
    at = end - from
  }
  return covered + piece.slice(at)
}

/** Writes the names back into the tokens that stand for them. */
function uncoverNames(text: string, sentences: readonly Sentence[], names: readonly Range[]): void {
  const written = new Map(names.map(({ start, end }) => [start, end]))
  for (const { tokens } of sentences) {
    for (const token of tokens) {
      if (written.get(token.start) !== token.end) continue
      const name = text.slice(token.start, token.end)
      const isProper = /^\p{Lu}|\d/u.test(name)
      Object.assign(token, toToken(name, token.start, isProper ? 'PROPN' : 'NOUN'))
    }
  }
}

/**
 * Contractions written without an apostrophe (`dont`, `ive`, `Its a boat`), which the tagger takes for other words.
 */

/** A text with apostrophes put in, and where they are, in order. */
type Restored = { text: string; inserted: readonly number[] }

/** Writes contractions with their apostrophes. A word that is also another one (`ill`, `its`) needs a following word that decides. */
function restoreApostrophes(text: string): Restored {
  if (!MAYBE.test(text)) return { text, inserted: [] }
  const inserted: number[] = []
  const restored = text.replace(CONTRACTIONS, (word, ...groups: unknown[]) => {
    const at = groups.find((group) => typeof group === 'number') ?? 0
    const place = word.length - (ENDINGS.exec(word)?.[0].length ?? 0)
    inserted.push(at + place + inserted.length)
    return `${word.slice(0, place)}'${word.slice(place)}`
  })
  return { text: restored, inserted }
}

/** A quick test for the endings of such words. */
const MAYBE = /(?:nt|ve|im|s|re|ll|d)\b/i
const ENDINGS = /(?:t|ve|m|s|re|ll|d)$/i
const NOT = 'do|does|did|is|are|was|were|has|have|had|could|would|should|ca|wo|ai|must'
const CONTRACTED = [
  `(?:${NOT})nt\\b`,
  '(?:i|you|we|they)ve\\b|im\\b|(?:you|they)(?:re|ll|d)\\b|(?:he|she|that|what|there|here|where)s\\b',
  'i(?:ll|d)(?= (?:be|go|get|have|try|do|let|ask|make|see|take|come|check|send|call|say|love|like|rather|prefer|just|also|never|probably|definitely)\\b)',
  'its(?= (?:a|an|the|not|been|so|just|too|my|your|his|her|our|their|like|gonna|going|all|only|really|pretty|very|always|still|called)\\b)'
].join('|')
const CONTRACTIONS = new RegExp(`\\b(?<![\\w'’-])(?:${CONTRACTED})(?![\\w'’-])`, 'gi')

/** Returns the position in the text as it was written. */
function toWritten(position: number, inserted: readonly number[]): number {
  let before = 0
  while (before < inserted.length && (inserted[before] ?? 0) < position) before++
  return position - before
}
