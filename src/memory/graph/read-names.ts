import { entityKey } from './entity-key.ts'
import { HONORIFICS } from './entity-titles.ts'
import { attributeClass } from './predicate-class.ts'
import { spokenNames } from './spoken-names.ts'

/** A name as a text writes it. */
export type WrittenName = {
  key: string
  /** As it is shown: without marks around it, the possessive ending and the article. */
  shown: string
  /** A form of address or an academic title stands before it. */
  isTitled: boolean
  /** The article stands before it. */
  isDefinite: boolean
  isAddress: boolean
  /** Written as a name: up to five words with capitals, small joining words among them, or an e-mail address. */
  isName: boolean
}

/** The names in a wording, the main one first: almost always one, none where it is no name that anybody is known by. */
export function readNames(wording: string): WrittenName[] {
  if (wording.length > NAME_UNITS || wording.split(' ', NAME_WORDS + 1).length > NAME_WORDS) return []
  const spoken = spokenNames(wording)
  const first = { ...writtenName(spoken?.name ?? wording), isName: isName(wording) }
  return isNobody(first.key) ? [] : [first, ...(spoken?.others ?? []).map(writtenName)]
}

/** Words for whom others name, and for attributes: `Status` is a status of something. */
function isNobody(key: string): boolean {
  return key === '' || NO_NAMES.has(key) || NO_NAME_STARTS.test(key) || attributeClass(key) !== undefined
}

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

function writtenName(name: string): WrittenName {
  const isAddress = name.includes('@')
  const isTitled = !isAddress && startsWithTitle(name)
  return {
    key: entityKey(name),
    shown: shownAs(name),
    isTitled,
    isDefinite: /^the /i.test(name),
    isAddress,
    isName: true
  }
}

function shownAs(name: string): string {
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
