import type { FactRecord } from '../../contract/snapshot.ts'
import { entityKey } from './entity-key.ts'
import { HONORIFICS } from './entity-titles.ts'
import type { FactSource } from './fact-over-time.ts'
import { createReading, type Reading } from './reading.ts'
import { remembering } from './remembering.ts'
import { spokenNames } from './spoken-names.ts'

/** What one memory states, without its text. */
export type Remembered = { source: FactSource; facts: readonly FactRecord[] }

/** How it is known of a name that it is one. */
export type NameEvidence = 'speaker' | 'subject' | 'value' | 'email' | 'alias' | 'title'

/** All that was seen of one spelling. */
export type Mentioned = {
  key: string
  /** How often each wording came. */
  wordings: Map<string, number>
  evidence: Set<NameEvidence>
  isPerson: boolean
  /** Mentions with the article: `the ferry`. */
  definite: number
  mentions: number
  /** Ids of memories. */
  sources: Set<string>
}

export type Mentions = {
  names: Map<string, Mentioned>
  /** Pairs of keys that a text itself says are one: a name and its e-mail address, what is also known as. */
  same: [string, string][]
}

/** Every name in the memories: speakers, what facts are about, and values that are written as names. */
export function nameMentions(remembered: readonly Remembered[]): Mentions {
  const reader: Reader = {
    found: { names: new Map(), same: [] },
    keyOf: remembering(entityKey),
    read: createReading()
  }
  for (const { source, facts } of remembered) {
    if (source.speaker !== undefined) noteName(reader, { wording: source.speaker, evidence: 'speaker', source })
    for (const fact of facts) noteFact(reader, fact, source)
  }
  return reader.found
}

type Reader = { found: Mentions; keyOf: (name: string) => string; read: (fact: FactRecord) => Reading }

/** Longer ones are no names: nothing is known by so many words. In UTF-16 code units. */
const NAME_UNITS = 80
const NAME_WORDS = 6

const NO_NAMES = new Set([
  ...['i', 'me', 'we', 'us', 'you', 'he', 'him', 'she', 'her', 'it', 'they', 'them', 'this', 'that', 'these', 'those'],
  ...[
    'who',
    'which',
    'what',
    'there',
    'here',
    'one',
    'someone',
    'everyone',
    'something',
    'everything',
    'nothing',
    'all',
    'both',
    'others'
  ],
  ...['many', 'most', 'some', 'lot', 'few', 'none', 'anyone', 'anything', 'nobody', 'things', 'people']
])

/** What begins so is somebody's, or some of many. */
const NO_NAME_STARTS =
  /^(?:my|your|his|her|its|our|their|this|that|these|those|some|any|every|each|no|all|both|many|most|several|such|more|what|which) /i

type Noted = { wording: string; evidence: NameEvidence; source: FactSource }

function noteName({ found, keyOf }: Reader, { wording, evidence, source }: Noted): Mentioned | undefined {
  if (wording.length > NAME_UNITS || wording.split(' ', NAME_WORDS + 1).length > NAME_WORDS) return undefined
  const spoken = spokenNames(wording)
  const name = spoken?.name ?? wording
  const key = keyOf(name)
  if (key === '' || NO_NAMES.has(key) || NO_NAME_STARTS.test(key)) return undefined
  const mentioned = mentionedAt(found.names, key)
  count(mentioned, { wording: name, evidence, source })
  for (const other of spoken?.others ?? []) {
    const isAddress = other.includes('@')
    const alias = mentionedAt(found.names, keyOf(other))
    count(alias, { wording: other, evidence: isAddress ? 'email' : 'alias', source })
    found.same.push([key, alias.key])
    if (isAddress) mentioned.isPerson = true
  }
  return mentioned
}

function mentionedAt(names: Map<string, Mentioned>, key: string): Mentioned {
  const known = names.get(key)
  if (known !== undefined) return known
  const made = {
    key,
    wordings: new Map(),
    evidence: new Set<NameEvidence>(),
    isPerson: false,
    definite: 0,
    mentions: 0,
    sources: new Set<string>()
  }
  names.set(key, made)
  return made
}

function count(mentioned: Mentioned, { wording, evidence, source }: Noted): void {
  const shown = displayed(wording)
  mentioned.wordings.set(shown, (mentioned.wordings.get(shown) ?? 0) + 1)
  mentioned.evidence.add(evidence)
  mentioned.mentions++
  if (/^the /i.test(wording)) mentioned.definite++
  mentioned.sources.add(source.id)
  if (evidence === 'speaker') mentioned.isPerson = true
  if (evidence !== 'email' && isTitled(wording)) {
    mentioned.evidence.add('title')
    mentioned.isPerson = true
  }
}

/** A name as it is shown: without marks around it, the possessive ending and the article. */
function displayed(wording: string): string {
  return (
    wording
      .trim()
      .replace(/^(?:the|an?) (?=\S)/i, '')
      .replace(/(?:['’]s|(?<=s)['’]|[,;:])$/u, '') || wording
  )
}

function isTitled(wording: string): boolean {
  const end = wording.indexOf(' ')
  return end > 0 && end < 12 && HONORIFICS.has(wording.slice(0, end).replace(/\.$/, '').toLowerCase())
}

/** What only people do. */
const OF_PEOPLE = new Set(['lives_in', 'works_at', 'studies_at', 'married_to', 'birthday', 'birthplace', 'age', 'role'])

/** What gives somebody another name. */
const OF_ALIASES = new Set(['also_known_as', 'name'])

function noteFact(reader: Reader, fact: FactRecord, source: FactSource): void {
  const { subject: about, value: wording, meaning } = reader.read(fact)
  const subject = noteName(reader, { wording: about, evidence: 'subject', source })
  const evidence = wording.includes('@') ? 'email' : 'value'
  const value = isName(wording) ? noteName(reader, { wording, evidence, source }) : undefined
  if (subject === undefined || !isName(about)) return
  if (OF_PEOPLE.has(meaning.key)) subject.isPerson = true
  if (value === undefined || fact.negated || meaning.isNegated || fact.modality !== undefined) return
  const isAlias = OF_ALIASES.has(meaning.key)
  if (isAlias) value.evidence.add('alias')
  if (isAlias || (meaning.key === 'email' && evidence === 'email')) reader.found.same.push([subject.key, value.key])
}

/** Written as a name: up to five words with capitals, small joining words among them, or an e-mail address. */
function isName(value: string): boolean {
  return value.length <= NAME_UNITS && (NAME.test(value) || ADDRESS.test(value) || MAIL_NAME.test(value))
}

const NAME =
  /^(?:[Tt]he )?\p{Lu}[^\s,;:!?]*(?: (?:\p{Lu}[^\s,;:!?]*|["“(]\p{Lu}[^\s,;:!?]*|of|the|and|de|da|del|van|von|der|la|le|&)){0,4}$/u
const ADDRESS = /^[^\s<>()@]+@[^\s<>()@]+\.[^\s<>()@]+$/u
const MAIL_NAME = /^[^<>@]+<[^\s<>@]+@[^\s<>@]+>$/u
