import { Fault } from '../../contract/faults.ts'
import { isIdPart, shortGuids } from '../output/short-forms.ts'

/** An object on the server that a command line can name. `about` describes it in a list of candidates. */
export type Nameable = { id: string; names: readonly string[]; about: string }

/** Returns the names by which a command finds a collection or key. */
export function toNameable({ id, name }: { id: string; name: string }): Nameable {
  return { id, names: [name], about: name }
}

/** The kind of object that an id belongs to, the command that lists them, and the variable or file that gives the id, if any. */
export type Kind = { noun: string; list: string; where?: string | undefined }

/**
 * Returns the object that the given text names: by the end of its id, by one of its names without regard to case, or, if
 * neither matches, by the beginning of its id. A part of an id has at least 6 characters.
 *
 * @throws Fault `not_found`, or `usage` with the candidates if several objects match.
 */
export function findById<Thing extends Nameable>(things: readonly Thing[], given: string, kind: Kind): Thing {
  const found = findMatches(things, given)
  const [only, second] = found
  if (only === undefined)
    throw new Fault('not_found', `no ${kind.noun} has the id or name '${given}'${fromText(kind)}`, {
      hint: `give a name, or at least the last 6 characters of an id: ${kind.list}`,
      next: [kind.list]
    })
  if (second !== undefined) throw makeSeveralFault(found, given, { kind, shorten: shortGuids(things) })
  return only
}

function fromText({ where }: Kind): string {
  return where === undefined ? '' : ` (${where})`
}

function findMatches<Thing extends Nameable>(things: readonly Thing[], given: string): readonly Thing[] {
  const text = given.toLowerCase()
  const isPart = isIdPart(text)
  const named = things.filter(
    ({ id, names }) => (isPart && id.endsWith(text)) || names.some((name) => name.toLowerCase() === text)
  )
  return named.length > 0 || !isPart ? named : things.filter(({ id }) => id.startsWith(text))
}

/** Maximum number of candidates in a message. */
const CANDIDATES_MAX = 5

function makeSeveralFault(
  found: readonly Nameable[],
  given: string,
  { kind, shorten }: { kind: Kind; shorten: (id: string) => string }
): Fault {
  const listed = found.slice(0, CANDIDATES_MAX).map(({ id, about }) => `${shorten(id)} (${about})`)
  const more = found.length > CANDIDATES_MAX ? `, and ${found.length - CANDIDATES_MAX} more` : ''
  return new Fault(
    'usage',
    `'${given}'${fromText(kind)} matches ${found.length} ${kind.noun}s: ${listed.join(', ')}${more}`,
    {
      hint: `give one of these ids, or list them: ${kind.list}`,
      next: [kind.list]
    }
  )
}
