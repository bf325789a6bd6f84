/** The names that one wording holds: the name itself first, then others for the same thing. */
export type SpokenNames = { name: string; others: string[] }

/**
 * Takes a wording apart that names one thing in several ways; undefined where it is one name, as almost all are.
 *
 *     Robert (Bob) Smith         -> Robert Smith, Bob Smith
 *     Robert "Bob" Smith         -> Robert Smith, Bob Smith
 *     Ann Lee <ann.lee@x.org>    -> Ann Lee, ann.lee@x.org
 *     Robert Smith, aka Bobby    -> Robert Smith, Bobby
 */
export function spokenNames(wording: string): SpokenNames | undefined {
  if (!MAYBE.test(wording) || wording.length > WORDING_UNITS) return undefined
  return ofMail(wording) ?? ofKnownAs(wording) ?? ofInner(wording)
}

const WORDING_UNITS = 200

const MAYBE = /[<("“]|\b(?:aka|a\.k\.a\.|known as)\b/i

function ofMail(wording: string): SpokenNames | undefined {
  const { name = '', address = '' } = MAIL.exec(wording)?.groups ?? {}
  return address === '' ? undefined : { name: name.replace(/^["“]|["”]$/gu, ''), others: [address] }
}

const MAIL = /^(?<name>[^<>@]*[^<>@\s])\s*[<(](?<address>[^\s<>()@]+@[^\s<>()@]+)[>)]$/u

function ofKnownAs(wording: string): SpokenNames | undefined {
  const { name = '', other = '' } = KNOWN_AS.exec(wording)?.groups ?? {}
  return other === '' ? undefined : { name, others: [other] }
}

const KNOWN_AS =
  /^(?<name>[^()]*[^(),\s]),?\s+\(?(?:aka|a\.k\.a\.|also known as|better known as)\s+(?<other>[^()]+?)\)?$/iu

/** A short form inside a name; one after it stands for the whole. */
function ofInner(wording: string): SpokenNames | undefined {
  const { first = '', inner = '', last = '' } = INNER.exec(wording)?.groups ?? {}
  if (inner === '') return undefined
  return last === '' ? { name: first, others: [inner] } : { name: `${first} ${last}`, others: [`${inner} ${last}`] }
}

const INNER =
  /^(?<first>\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]*){0,2}) (?:\((?=[^)]+\))|["“](?=[^"”]+["”]))(?<inner>\p{Lu}[\p{L}'’-]*)[)"”](?: (?<last>\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)?))?$/u
