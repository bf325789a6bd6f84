import { type Chunk, createWordlessDraft, type FactDraft, type Sight } from '../clauses/clause.ts'
import { TIME_NOUNS } from '../clauses/word-classes.ts'

/** Finds facts in noun phrases without a verb: who is what, and who has what. */
export function findNominalFacts(sight: Sight, isClaimed: (chunk: number) => boolean): FactDraft[] {
  const { chunks } = sight.parse
  const drafts: FactDraft[] = []
  for (const [at, chunk] of chunks.entries()) {
    if (chunk.kind !== 'noun' || !isClaimed(at)) continue
    for (const rule of [readApposition, readRole, readPossessive]) {
      const draft = rule(sight, at, chunk)
      if (draft !== undefined) drafts.push(draft)
    }
  }
  return drafts
}

/** "Rex, **the neighbour's dog**, barks": Rex is the neighbour's dog. */
function readApposition({ parse, lower }: Sight, at: number, chunk: Chunk): FactDraft | undefined {
  const { chunks, tags } = parse
  const other = chunks[at + 2]
  if (chunks[at + 1]?.kind !== 'comma' || other?.kind !== 'noun' || other.isPronoun || chunk.isPronoun) return undefined
  if (chunks[at - 1]?.kind === 'preposition' && tags[chunk.head] !== 'PROPN') return undefined
  const end = findAppositionEnd(chunks, at + 3)
  const close = chunks[end]?.kind
  if (close !== undefined && close !== 'comma' && close !== 'stop') return undefined
  if (tags[chunk.head] === 'NOUN') return readNamed({ parse, lower }, chunk, other)
  if (tags[chunk.head] !== 'PROPN' || TIME_NOUNS.has(lower(chunk.head)) || TIME_NOUNS.has(lower(other.head)))
    return undefined
  const isRole = chunk.to - chunk.from > 1 && lower(chunks[at + 3]?.from ?? -1) === 'of' && tags[other.head] === 'NOUN'
  if (!isRole && !DETERMINERS.has(lower(other.from)) && !lower(other.from + 1).startsWith("'")) return undefined
  // "Harvey, **the slick**, confident lawyer"
  if (isList(chunks, at) || tags[other.to - 1] === 'ADJ') return undefined
  const value = { from: other.from, to: (chunks[end - 1] as Chunk).to }
  return createWordlessDraft({ rule: 'apposition.is', said: 'is', subject: chunk, value })
}

/** "**The ferry's captain, Jan Berg**, waved": the captain is Jan Berg. */
function readNamed({ parse, lower }: Sight, chunk: Chunk, other: Chunk): FactDraft | undefined {
  const { tags, tokens } = parse
  const isName = other.to - other.from >= 2 && tags[other.from] === 'PROPN' && tags[other.head] === 'PROPN'
  const isOne =
    tags[chunk.from] === 'DET' || DETERMINERS.has(lower(chunk.from)) || lower(chunk.from + 1).startsWith("'")
  const isClosed = tokens[other.to]?.lower === ','
  if (!isName || !isOne || !isClosed || TIME_NOUNS.has(lower(chunk.head)) || lower(chunk.head).endsWith('s'))
    return undefined
  return createWordlessDraft({ rule: 'apposition.is', said: 'is', subject: chunk, value: other })
}

const DETERMINERS = new Set(['a', 'an', 'the', 'my', 'his', 'her', 'their', 'our', 'its', 'one'])

/** Skips prepositional phrases such as "of the house" and "in Rome". */
function findAppositionEnd(chunks: readonly Chunk[], from: number): number {
  let end = from
  while (chunks[end]?.kind === 'preposition' && chunks[end + 1]?.kind === 'noun') end += 2
  return end
}

/** Recognises a list by the items before or after: "Ann, the dog, and a cat". */
function isList(chunks: readonly Chunk[], at: number): boolean {
  const before = chunks[at - 1]?.kind
  if (before === 'comma' && chunks[at - 2]?.kind === 'noun') return true
  for (let next = at + 3; next < Math.min(chunks.length, at + 12); next++) {
    const kind = chunks[next]?.kind
    if (kind === 'and') return chunks[next - 1]?.kind === 'comma' || chunks[next - 1]?.kind === 'noun'
    if (kind === 'verb' || kind === 'stop') return false
  }
  return false
}

/** "the **baker Tom Hill**": Tom Hill is a baker. */
function readRole({ parse, lower }: Sight, _at: number, chunk: Chunk): FactDraft | undefined {
  const { tags, tokens } = parse
  let name = chunk.to
  while (name > chunk.from && tags[name - 1] === 'PROPN') name--
  if (name === chunk.to || name === chunk.from || tags[name - 1] !== 'NOUN' || TIME_NOUNS.has(lower(name - 1)))
    return undefined
  if (chunk.to - name < 2 || lower(name - 1).endsWith('s') || lower(name - 1) !== tokens[name - 1]?.text)
    return undefined
  // "**du** Vent" is part of a name, "**vanilla** Basil 7" no person.
  if (name - chunk.from > 1 && tags[name - 2] === 'PROPN') return undefined
  if (/\d/.test(tokens[chunk.to - 1]?.text ?? '') || lower(name - 1).length < ROLE_UNITS_MIN) return undefined
  let from = name - 1
  while (from > chunk.from && (tags[from - 1] === 'NOUN' || tags[from - 1] === 'ADJ')) from--
  const subject = { from: name, to: chunk.to }
  return createWordlessDraft({ rule: 'apposition.role', said: 'is', subject, value: { from, to: name } })
}

/** The shortest roles are `chef` and `aunt`. */
const ROLE_UNITS_MIN = 4

/** "**Tom's red car** stopped": Tom has a red car. In "Tom's car is red", the clause itself states the fact. */
function readPossessive({ parse, lower }: Sight, at: number, chunk: Chunk): FactDraft | undefined {
  const { chunks, tags } = parse
  if (chunks[at + 1]?.kind === 'verb' && COPULAS.has(lower(chunks[at + 1]?.from ?? -1))) return undefined
  let mark = chunk.to - 1
  while (mark > chunk.from && tags[mark] !== 'PART') mark--
  if (
    mark <= chunk.from ||
    mark === chunk.to - 1 ||
    TIME_NOUNS.has(lower(mark - 1)) ||
    mark - chunk.from > OWNER_TOKENS_MAX
  )
    return undefined
  const subject = { from: chunk.from, to: mark }
  return createWordlessDraft({ rule: 'possessive.has', said: 'has', subject, value: { from: mark + 1, to: chunk.to } })
}

const OWNER_TOKENS_MAX = 5

const COPULAS = new Set(['is', 'are', 'was', 'were'])
