import type { TextSource } from '../language/text-source.ts'
import type { Sentence, Token } from '../language/token.ts'
import { type Block, listProseRanges } from '../structure/block.ts'
import { OPENERS } from './procedure-words.ts'

/** A sentence with its speaker and position. */
export type Spoken = {
  text: string
  tokens: readonly Token[]
  speaker: string | undefined
  /** Index of the range that the sentence was read from; -1 outside all of them. */
  range: number
  /** A question, or the words of another person: nothing in it is a procedure. */
  isAside: boolean
  /** The first token after the openers: `Well, [I] prefer …`. */
  head: number
}

/** Lists the sentences of a text, in order, each with its position. */
export function listSpokenSentences(
  source: TextSource,
  blocks: readonly Block[],
  sentences: readonly Sentence[]
): Spoken[] {
  const ranges = listProseRanges(blocks)
  let range = 0
  let isQuoted = false
  return sentences.map(({ tokens, start }) => {
    const last = range
    while (range < ranges.length - 1 && (ranges[range]?.end ?? 0) <= start) range++
    const place = ranges[range]
    const isInside = place !== undefined && place.start <= start && start < place.end
    if (last !== range) isQuoted = false
    const wasQuoted = isQuoted
    isQuoted = isQuotedAfter(tokens, isQuoted)
    const head = findHead(tokens)
    return {
      text: source.text,
      tokens,
      speaker: (isInside ? place.speaker : undefined) ?? source.speaker,
      range: isInside ? range : -1,
      isAside: wasQuoted || isQuestion(tokens, head) || isSomebodyElses(tokens, head),
      head
    }
  })
}

/** Skips openers and the marks between them. */
export function findHead(tokens: readonly Token[], from = 0): number {
  let at = from
  for (let token = tokens[at]; token !== undefined && at - from < OPENERS_MAX; token = tokens[++at]) {
    const isMark = token.tag === 'PUNCT' && at > from && token.text !== '('
    if (!(OPENERS.has(token.lower) || ((isMark || isPolite(token)) && !QUOTES.has(token.text)))) break
  }
  return at
}

function isPolite({ tag, text }: Token): boolean {
  return tag === 'INTJ' || tag === 'SYM' || !/[\p{L}\p{N}]/u.test(text)
}

const OPENERS_MAX = 8

function isQuestion(tokens: readonly Token[], head: number): boolean {
  const closing = tokens.slice(-3).some(({ text }) => text.startsWith('?') || text.startsWith('？'))
  return closing || (ASKING_STARTS.has(tokens[head]?.lower ?? '') && isAsked(tokens, head))
}

/** Recognises a question without its mark, by an auxiliary or question word before the subject: `do you prefer tea`. */
function isAsked(tokens: readonly Token[], head: number): boolean {
  const next = tokens[head + 1]
  return next !== undefined && next.tag === 'PRON' && tokens[head]?.lower !== 'when'
}

const ASKING_STARTS: ReadonlySet<string> = new Set(
  'do|does|did|is|are|am|was|were|can|could|would|will|should|have|has|what|who|where|why|how|which|whose'.split('|')
)

const QUOTES: ReadonlySet<string> = new Set(['"', '“', '”', '„', '«', '»', '``', "''"])

/** Checks whether the sentence begins inside quotation marks or with a supposition. */
function isSomebodyElses(tokens: readonly Token[], head: number): boolean {
  const first = tokens[0]
  return first === undefined || QUOTES.has(first.text) || SUPPOSING.has(tokens[head]?.lower ?? '')
}

const SUPPOSING: ReadonlySet<string> = new Set(['suppose', 'imagine', 'pretend', 'apparently', 'supposedly'])

/** Checks whether quotation marks are open at the end of a sentence. */
function isQuotedAfter(tokens: readonly Token[], before: boolean): boolean {
  let isOpen = before
  for (const { text } of tokens) {
    if (text === '“' || text === '„' || text === '«') isOpen = true
    else if (text === '”' || text === '»') isOpen = false
    else if (text === '"') isOpen = !isOpen
  }
  return isOpen
}
