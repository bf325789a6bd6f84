import type { Tag, Token } from '../language/token.ts'
import { verbForm } from '../language/verb-forms.ts'
import type { Chunk, ChunkKind } from './chunk.ts'
import { nounPhraseEnd } from './noun-phrase.ts'
import { readVerbGroup } from './verb-group.ts'
import { FREE_RELATIVES, MAYBE_SUBORDINATORS, RELATIVE_PRONOUNS, SUBORDINATORS } from './words/clause-words.ts'

/** Cuts a sentence into chunks from left to right, each token into one. Time grows with the tokens alone. */
export function findChunks(tokens: readonly Token[], tags: readonly Tag[]): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 0; at < tokens.length; ) {
    const chunk = chunkAt({ tokens, tags, at })
    chunks.push(chunk)
    at = chunk.to
  }
  return chunks
}

type Place = { tokens: readonly Token[]; tags: readonly Tag[]; at: number }

function chunkAt(place: Place): Chunk {
  const { tokens, tags, at } = place
  const lower = (tokens[at] as Token).lower
  const tag = tags[at]
  const plain = { verb: undefined, isPronoun: false, isContrast: false }
  const one = (kind: ChunkKind): Chunk => ({ ...plain, kind, from: at, to: at + 1, head: at })
  const mark = markKind(lower)
  if (mark !== undefined && (mark !== 'quote' || tag !== 'PART')) return one(mark)
  if (tag === 'CCONJ') return { ...one('and'), isContrast: CONTRASTS.has(lower) }
  if (isRelative(place)) return one('relative')
  if (isMarker(place)) return one('marker')
  const group = readVerbGroup(place, at)
  if (group !== undefined) {
    const { to, ...verb } = group
    return { ...plain, kind: 'verb', from: at, to, head: verb.main, verb }
  }
  const end = nounPhraseEnd(place)
  if (end > at) {
    const isPronoun = end === at + 1 && PRONOUNS.has(lower)
    return { ...plain, kind: 'noun', from: at, to: end, head: headOf(place, end), isPronoun }
  }
  if (tag === 'ADJ' || tag === 'ADV') return run(place, tag === 'ADJ' ? 'adjective' : 'adverb')
  if (tag === 'ADP' || (tag === 'PART' && lower === 'to')) return one('preposition')
  return one(tag === 'PUNCT' ? 'stop' : 'other')
}

const CONTRASTS = new Set(['but', 'yet', 'so', 'nor'])
const PRONOUNS = new Set(['he', 'she', 'it', 'they', 'we', 'that', 'this', 'you', 'there'])

function markKind(lower: string): ChunkKind | undefined {
  return MARKS.get(lower)
}

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

/** `that` after a noun or a verb, `who`, `which`; "that dog" is none. */
function isRelative({ tokens, tags, at }: Place): boolean {
  const lower = (tokens[at] as Token).lower
  if (lower === 'whose') return true
  if (lower === 'that') {
    if (at === 0) return false
    const before = tags[at - 1]
    const next = tags[at + 1]
    if (tags[at] === 'DET' && (next === 'NOUN' || next === 'ADJ') && before !== 'NOUN') return false
    if (tokens[at - 1]?.lower === ',' && (next === 'AUX' || next === 'VERB')) return false
    if (before === 'ADP' || (before === 'CCONJ' && next === 'AUX')) return false
    return (
      tags[at] === 'SCONJ' ||
      next === 'PRON' ||
      next === 'DET' ||
      next === 'PROPN' ||
      next === 'VERB' ||
      next === 'AUX' ||
      next === 'ADV' ||
      next === 'NOUN' ||
      next === 'ADJ' ||
      next === 'NUM' ||
      next === 'ADP'
    )
  }
  if (lower === 'how' || lower === 'when' || lower === 'where') return false
  return RELATIVE_PRONOUNS.has(lower) || (FREE_RELATIVES.has(lower) && tags[at] !== 'DET')
}

/** Opens a subordinate clause: "because it rains". "After lunch" and "as a child" do not. */
function isMarker({ tokens, tags, at }: Place): boolean {
  const lower = (tokens[at] as Token).lower
  if (!SUBORDINATORS.has(lower) || tokens[at + 1]?.lower === ',') return false
  if (!MAYBE_SUBORDINATORS.has(lower)) return true
  if (lower === 'so') return tokens[at - 1]?.lower === ',' || tags[at + 1] === 'PRON'
  for (let next = at + 1; next < Math.min(tokens.length, at + 8); next++) {
    const tag = tags[next]
    if (tag === 'PUNCT' || tag === 'ADP' || tag === 'CCONJ') return false
    if (tag === 'AUX') return next > at + 1
    if (tag === 'VERB') return next > at + 1 && verbForm((tokens[next] as Token).lower) !== 'ing'
  }
  return false
}

/** The last noun; in "Ann's brother", the brother. */
function headOf({ tokens, tags, at }: Place, end: number): number {
  for (let i = end - 1; i >= at; i--) {
    const tag = tags[i]
    if ((tag === 'NOUN' || tag === 'PROPN' || tag === 'PRON') && (tokens[i] as Token).lower !== "'s") return i
  }
  return end - 1
}

const RUN_TOKENS_MAX = 8

/** Another chunk begins here: "again | **how** he came", "even | **small** things". */
function opensNext(place: Place): boolean {
  const { tokens, tags, at } = place
  if (SUBORDINATORS.has((tokens[at] as Token).lower)) return true
  return tags[at] === 'ADJ' && nounPhraseEnd(place) > at
}

/** Adjectives with their adverbs: "very kind", "kind and patient" is left to coordination. */
function run({ tokens, tags, at }: Place, kind: ChunkKind): Chunk {
  let to = at
  while (to < tags.length && to - at < RUN_TOKENS_MAX && (tags[to] === 'ADJ' || tags[to] === 'ADV')) {
    if (to > at && opensNext({ tokens, tags, at: to })) break
    to++
  }
  const isAdjective = kind === 'adjective' || tags.slice(at, to).includes('ADJ')
  return {
    kind: isAdjective ? 'adjective' : 'adverb',
    from: at,
    to,
    head: to - 1,
    verb: undefined,
    isPronoun: false,
    isContrast: false
  }
}
