import { splitWords } from '../language/split-words.ts'
import { classifyAttribute } from './predicate-class.ts'
import { HONORIFICS, toEntityKey } from './to-entity-key.ts'

/** A name as a text writes it. */
export type WrittenName = {
  key: string
  /** For display: without marks around it, the possessive ending and the article. */
  shown: string
  /** Preceded by a form of address or an academic title. */
  isTitled: boolean
  /** Preceded by the definite article. */
  isDefinite: boolean
  isAddress: boolean
  /** Written as a name: up to five capitalised words with small joining words among them, or an e-mail address. */
  isName: boolean
}

/**
 * Returns the names in a wording, the main one first. Usually there is one; there is none if the wording is not a name.
 */
export function readNames(wording: string): WrittenName[] {
  if (wording.length > NAME_UNITS || wording.split(' ', NAME_WORDS + 1).length > NAME_WORDS) return []
  const spoken = splitSpokenNames(wording)
  const first = { ...readWrittenName(spoken?.name ?? wording), isName: isName(wording) }
  return isNobody(first.key) ? [] : [first, ...(spoken?.others ?? []).map(readWrittenName)]
}

/** Recognises words that are not names, such as pronouns and attributes: `Status` belongs to something else. */
function isNobody(key: string): boolean {
  return key === '' || NO_NAMES.has(key) || NO_NAME_STARTS.test(key) || classifyAttribute(key) !== undefined
}

/** Longer wordings are not names. In UTF-16 code units. */
const NAME_UNITS = 80
const NAME_WORDS = 6

const NO_NAMES = new Set(
  splitWords(`
    i, me, we, us, you, he, him, she, her, it, they, them, this, that, these, those, who, which, what,
    there, here, one, someone, everyone, something, everything, nothing, all, both, others, many,
    most, some, lot, few, none, anyone, anything, nobody, things, people
  `)
)

/** Openings of phrases that describe something owned, or one of several. */
const NO_NAME_STARTS =
  /^(?:my|your|his|her|its|our|their|this|that|these|those|some|any|every|each|no|all|both|many|most|several|such|more|what|which) /i

function readWrittenName(name: string): WrittenName {
  const isAddress = name.includes('@')
  const isTitled = !isAddress && startsWithTitle(name)
  return {
    key: toEntityKey(name),
    shown: formatName(name),
    isTitled,
    isDefinite: /^the /i.test(name),
    isAddress,
    isName: true
  }
}

function formatName(name: string): string {
  const bare = name
    .trim()
    .replace(/^(?:the|an?) (?=\S)/i, '')
    .replace(/(?:['’]s|(?<=s)['’]|[,;:])$/u, '')
  return bare || name
}

function startsWithTitle(name: string): boolean {
  const end = name.indexOf(' ')
  return end > 0 && end < 12 && HONORIFICS.has(name.slice(0, end).replace(/\.$/, '').toLowerCase())
}

function isName(value: string): boolean {
  return NAME.test(value) || ADDRESS.test(value) || MAIL_NAME.test(value)
}

const NAME =
  /^(?:[Tt]he )?\p{Lu}[^\s,;:!?]*(?: (?:\p{Lu}[^\s,;:!?]*|["“(]\p{Lu}[^\s,;:!?]*|of|the|and|de|da|del|van|von|der|la|le|&)){0,4}$/u
const ADDRESS = /^[^\s<>()@]+@[^\s<>()@]+\.[^\s<>()@]+$/u
const MAIL_NAME = /^[^<>@]+<[^\s<>@]+@[^\s<>@]+>$/u

/** The names in one wording: the main name first, then others for the same thing. */
type SpokenNames = { name: string; others: string[] }

/**
 * Splits a wording that gives several names for one thing; undefined if it is a single name, as almost all are.
 *
 *     Robert (Bob) Smith         -> Robert Smith, Bob Smith
 *     Robert "Bob" Smith         -> Robert Smith, Bob Smith
 *     Ann Lee <ann.lee@x.org>    -> Ann Lee, ann.lee@x.org
 *     Robert Smith, aka Bobby    -> Robert Smith, Bobby
 */
export function splitSpokenNames(wording: string): SpokenNames | undefined {
  if (!MAYBE.test(wording) || wording.length > WORDING_UNITS) return undefined
  return splitMailName(wording) ?? splitKnownAs(wording) ?? splitInnerName(wording)
}

const WORDING_UNITS = 200

const MAYBE = /[<("“]|\b(?:aka|a\.k\.a\.|known as)\b/i

function splitMailName(wording: string): SpokenNames | undefined {
  const { name = '', address = '' } = MAIL.exec(wording)?.groups ?? {}
  return address === '' ? undefined : { name: name.replace(/^["“]|["”]$/gu, ''), others: [address] }
}

const MAIL = /^(?<name>[^<>@]*[^<>@\s])\s*[<(](?<address>[^\s<>()@]+@[^\s<>()@]+)[>)]$/u

function splitKnownAs(wording: string): SpokenNames | undefined {
  const { name = '', other = '' } = KNOWN_AS.exec(wording)?.groups ?? {}
  return other === '' ? undefined : { name, others: [other] }
}

const KNOWN_AS =
  /^(?<name>[^()]*[^(),\s]),?\s+\(?(?:aka|a\.k\.a\.|also known as|better known as)\s+(?<other>[^()]+?)\)?$/iu

/** Splits a short form inside a name. After the name, it stands for the whole. */
function splitInnerName(wording: string): SpokenNames | undefined {
  const { first = '', inner = '', last = '' } = INNER.exec(wording)?.groups ?? {}
  if (inner === '') return undefined
  return last === '' ? { name: first, others: [inner] } : { name: `${first} ${last}`, others: [`${inner} ${last}`] }
}

const INNER =
  /^(?<first>\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]*){0,2}) (?:\((?=[^)]+\))|["“](?=[^"”]+["”]))(?<inner>\p{Lu}[\p{L}'’-]*)[)"”](?: (?<last>\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)?))?$/u
