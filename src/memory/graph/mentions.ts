import type { FactRecord } from '../../contract/snapshot.ts'
import type { FactSource } from './fact-over-time.ts'
import { createFactReader, type FactReading } from './fact-reading.ts'
import { memoize } from './memoize.ts'
import { readNames, type WrittenName } from './read-names.ts'

/** The facts of one memory, without its text, and the ids of the memories that it supersedes. */
export type MemoryFacts = {
  source: FactSource
  facts: readonly FactRecord[]
  supersedes?: readonly unknown[]
}

/** Why a wording counts as a name. */
export type NameEvidence = 'speaker' | 'subject' | 'value' | 'email' | 'alias' | 'title'

/** All mentions of one spelling. */
export type Mentioned = {
  key: string
  /** Number of mentions per wording. */
  wordings: Map<string, number>
  evidence: Set<NameEvidence>
  isPerson: boolean
  /** Number of mentions with the definite article: `the ferry`. */
  definite: number
  mentions: number
  /** Ids of memories. */
  sources: Set<string>
}

export type Mentions = {
  names: Map<string, Mentioned>
  /** Pairs of keys that a text itself equates: a name and its e-mail address, or `also known as`. */
  same: [string, string][]
}

/** Collects every name in the memories: speakers, subjects of facts, and values that are written as names. */
export function collectNameMentions(remembered: readonly MemoryFacts[]): Mentions {
  const reader: Reader = {
    found: { names: new Map(), same: [] },
    namesIn: memoize(readNames),
    read: createFactReader()
  }
  for (const { source, facts } of remembered) {
    if (source.speaker !== undefined) noteName(reader, { wording: source.speaker, evidence: 'speaker', source })
    for (const fact of facts) noteFact(reader, fact, source)
  }
  return reader.found
}

type Reader = { found: Mentions; namesIn: (wording: string) => WrittenName[]; read: (fact: FactRecord) => FactReading }

type Noted = { wording: string; evidence: NameEvidence; source: FactSource }

function noteName({ found, namesIn }: Reader, { wording, evidence, source }: Noted): Mentioned | undefined {
  const [first, ...others] = namesIn(wording)
  if (first === undefined) return undefined
  const mentioned = countMention(found, first, { evidence, source })
  for (const other of others) {
    const alias = countMention(found, other, { evidence: other.isAddress ? 'email' : 'alias', source })
    found.same.push([mentioned.key, alias.key])
    if (other.isAddress) mentioned.isPerson = true
  }
  return mentioned
}

function countMention({ names }: Mentions, name: WrittenName, { evidence, source }: Omit<Noted, 'wording'>): Mentioned {
  const mentioned = openMention(names, name.key)
  mentioned.wordings.set(name.shown, (mentioned.wordings.get(name.shown) ?? 0) + 1)
  mentioned.evidence.add(evidence)
  mentioned.mentions++
  mentioned.sources.add(source.id)
  if (name.isDefinite) mentioned.definite++
  if (name.isTitled) mentioned.evidence.add('title')
  if (name.isTitled || evidence === 'speaker') mentioned.isPerson = true
  return mentioned
}

function openMention(names: Map<string, Mentioned>, key: string): Mentioned {
  const known = names.get(key)
  if (known !== undefined) return known
  const none = { isPerson: false, definite: 0, mentions: 0 }
  const made = { key, wordings: new Map(), evidence: new Set<NameEvidence>(), sources: new Set<string>(), ...none }
  names.set(key, made)
  return made
}

/** Predicates that only people have. */
const OF_PEOPLE = new Set(['lives_in', 'works_at', 'studies_at', 'married_to', 'birthday', 'birthplace', 'age', 'role'])

/** Predicates that give a person or thing another name. */
const OF_ALIASES = new Set(['also_known_as', 'name'])

function noteFact(reader: Reader, fact: FactRecord, source: FactSource): void {
  const { subject: about, value: wording, meaning } = reader.read(fact)
  const subject = noteName(reader, { wording: about, evidence: 'subject', source })
  const evidence = wording.includes('@') ? 'email' : 'value'
  const value = reader.namesIn(wording)[0]?.isName ? noteName(reader, { wording, evidence, source }) : undefined
  if (subject === undefined || !reader.namesIn(about)[0]?.isName) return
  if (OF_PEOPLE.has(meaning.key)) subject.isPerson = true
  if (value === undefined || fact.negated || meaning.isNegated || fact.modality !== undefined) return
  const isAlias = OF_ALIASES.has(meaning.key)
  if (isAlias) value.evidence.add('alias')
  if (isAlias || (meaning.key === 'email' && evidence === 'email')) reader.found.same.push([subject.key, value.key])
}
