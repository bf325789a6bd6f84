import type { Tag, Token } from '../language/token.ts'
import { classifyVerbForm } from '../language/verb-forms.ts'
import type { Chunk, ChunkKind } from './clause.ts'
import { findNounPhraseEnd } from './find-noun-phrase-end.ts'
import { readVerbGroup } from './verb-group.ts'
import { FREE_RELATIVES, MAYBE_SUBORDINATORS, RELATIVE_PRONOUNS, SUBORDINATORS } from './word-classes.ts'

/** Splits a sentence into chunks from left to right; each token belongs to one. Time grows linearly with the tokens. */
export function findChunks(tokens: readonly Token[], tags: readonly Tag[]): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 0; at < tokens.length; ) {
    const chunk = readChunk({ tokens, tags, at })
    chunks.push(chunk)
    at = chunk.to
  }
  return chunks
}

type Place = { tokens: readonly Token[]; tags: readonly Tag[]; at: number }

function readChunk(place: Place): Chunk {
  const { tokens, tags, at } = place
  const lower = (tokens[at] as Token).lower
  const tag = tags[at]
  const mark = tag === 'NOUN' || tag === 'VERB' ? undefined : MARKS.get(lower)
  if (mark !== undefined && (mark !== 'quote' || tag !== 'PART')) return createChunk(mark, at, at + 1)
  if (tag === 'CCONJ') return createConjunction(at, CONTRASTS.has(lower))
  if (isRelative(place)) return createChunk('relative', at, at + 1)
  if (isMarker(place)) return createChunk('marker', at, at + 1)
  return readVerbChunk(place) ?? readNounChunk(place) ?? readSmallChunk(place, lower)
}

function createChunk(kind: ChunkKind, from: number, to: number): Chunk {
  return { kind, from, to, head: to - 1, verb: undefined, isPronoun: false, isContrast: false }
}

function createConjunction(at: number, isContrast: boolean): Chunk {
  const chunk = createChunk('and', at, at + 1)
  chunk.isContrast = isContrast
  return chunk
}

function readVerbChunk(place: Place): Chunk | undefined {
  const group = readVerbGroup(place, place.at)
  if (group === undefined) return undefined
  const chunk = createChunk('verb', place.at, group.to)
  chunk.head = group.main
  chunk.verb = group
  return chunk
}

function readNounChunk(place: Place): Chunk | undefined {
  const end = findNounPhraseEnd(place)
  if (end === place.at) return undefined
  const chunk = createChunk('noun', place.at, end)
  chunk.head = findHead(place, end)
  chunk.isPronoun = end === place.at + 1 && PRONOUNS.has((place.tokens[place.at] as Token).lower)
  return chunk
}

function readSmallChunk(place: Place, lower: string): Chunk {
  const { tags, at } = place
  const tag = tags[at]
  if (tag === 'ADJ' || tag === 'ADV') return readAdjectives(place)
  if (tag === 'ADP' || lower === 'because' || (tag === 'PART' && lower === 'to'))
    return createChunk('preposition', at, at + 1)
  return createChunk(tag === 'PUNCT' || LAUGHTER.test(lower) ? 'stop' : 'other', at, at + 1)
}

/** Ends a statement like a full stop: "it rained **lol** I got wet". */
export const LAUGHTER = /^(?:lo+l|lmao+|rofl|(?:ha){2,}h?|(?:he){2,})$/i

const CONTRASTS = new Set(['but', 'yet', 'so', 'nor'])
const PRONOUNS = new Set(['he', 'she', 'it', 'they', 'we', 'that', 'this', 'you', 'there'])

const MARKS = new Map<string, ChunkKind>([
  [',', 'comma'],
  ['(', 'opening'],
  ['[', 'opening'],
  [')', 'closing'],
  [']', 'closing'],
  ['"', 'quote'],
  ["'", 'quote'],
  ["''", 'quote'],
  ['`', 'quote'],
  ['``', 'quote'],
  ['“', 'quote'],
  ['”', 'quote'],
  ['‘', 'quote'],
  ['’', 'quote'],
  ['«', 'quote'],
  ['»', 'quote']
])

/** Recognises `that` after a noun or a verb, `who` and `which`, but not "that dog". */
function isRelative(place: Place): boolean {
  const { tokens, tags, at } = place
  const lower = (tokens[at] as Token).lower
  if (lower === 'whose') return true
  if (lower === 'that') return at > 0 && opensThat(place)
  if (lower === 'how' || lower === 'when' || lower === 'where') return false
  return RELATIVE_PRONOUNS.has(lower) || (FREE_RELATIVES.has(lower) && tags[at] !== 'DET')
}

/** Recognises `that` before a clause, but not in "that dog", ", that is" or "in that". */
function opensThat({ tokens, tags, at }: Place): boolean {
  const before = tags[at - 1]
  const next = tags[at + 1]
  const isVerb = next === 'AUX' || next === 'VERB'
  if (tags[at] === 'DET' && (next === 'NOUN' || next === 'ADJ') && before !== 'NOUN') return false
  if (tokens[at - 1]?.lower === ',' && isVerb) return false
  if (before === 'ADP' || (before === 'CCONJ' && next === 'AUX')) return false
  return tags[at] === 'SCONJ' || (next !== undefined && !NEVER_AFTER_THAT.has(next))
}

const NEVER_AFTER_THAT: ReadonlySet<Tag> = new Set(['PUNCT', 'CCONJ', 'SCONJ', 'INTJ', 'PART', 'SYM', 'X'])

/** Recognises a word that opens a subordinate clause: "because it rains", but not "After lunch" or "as a child". */
function isMarker({ tokens, tags, at }: Place): boolean {
  const lower = (tokens[at] as Token).lower
  if (!SUBORDINATORS.has(lower) || tokens[at + 1]?.lower === ',') return false
  if (tokens[at + 1]?.lower === 'of' || (lower === 'cause' && tags[at] !== 'SCONJ')) return false
  if (!MAYBE_SUBORDINATORS.has(lower)) return true
  if (lower === 'so') return tokens[at - 1]?.lower === ',' || tags[at + 1] === 'PRON'
  for (let next = at + 1; next < Math.min(tokens.length, at + 8); next++) {
    const tag = tags[next]
    if (tag === 'PUNCT' || tag === 'ADP' || tag === 'CCONJ') return false
    if (tag === 'AUX') return next > at + 1
    if (tag === 'VERB') return next > at + 1 && classifyVerbForm((tokens[next] as Token).lower) !== 'ing'
  }
  return false
}

/** Returns the last noun; in "Ann's brother", the brother. */
function findHead({ tokens, tags, at }: Place, end: number): number {
  for (let i = end - 1; i >= at; i--) {
    const tag = tags[i]
    if ((tag === 'NOUN' || tag === 'PROPN' || tag === 'PRON') && (tokens[i] as Token).lower !== "'s") return i
  }
  return end - 1
}

const RUN_TOKENS_MAX = 8

/** Checks whether another chunk begins here: "again | **how** he came", "even | **small** things". */
function opensNext(place: Place): boolean {
  const { tokens, tags, at } = place
  const { lower } = tokens[at] as Token
  if (SUBORDINATORS.has(lower) && lower !== 'cause') return true
  return tags[at] === 'ADJ' && findNounPhraseEnd(place) > at
}

/** Reads adjectives with their adverbs ("very kind"). Coordination handles "kind and patient". */
function readAdjectives({ tokens, tags, at }: Place): Chunk {
  let to = at
  let isAdjective = false
  while (to < tags.length && to - at < RUN_TOKENS_MAX && (tags[to] === 'ADJ' || tags[to] === 'ADV')) {
    if (to > at && opensNext({ tokens, tags, at: to })) break
    isAdjective ||= tags[to] === 'ADJ'
    to++
  }
  return createChunk(isAdjective ? 'adjective' : 'adverb', at, to)
}
