import { Fault } from '../../contract/faults.ts'

/** Minimum length of a shortened id. */
const PREFIX_LEAST = 6

/** The kind of object that an id belongs to, and the command that lists them. */
export type Kind = { noun: string; list: string }

/**
 * Returns the object whose id starts with the given text. Throws a fault if none or several match, or if the text is too short.
 * Names need not be unique, so a name matches nothing, but the hint lists the ids of objects with that name.
 */
export function findById<Thing extends { id: string; name: string }>(
  things: readonly Thing[],
  given: string,
  kind: Kind
): Thing {
  const prefix = given.toLowerCase()
  if (!/^[0-9a-f-]*$/.test(prefix) || prefix.length < PREFIX_LEAST) {
    throw new Fault(
      'usage',
      `invalid ${kind.noun} id '${given}': expected an id, or at least its first ${PREFIX_LEAST} characters`,
      {
        hint: joinIds(things, given) ?? `list the ids: ${kind.list}`
      }
    )
  }
  const [found, second] = things.filter(({ id }) => id.toLowerCase().startsWith(prefix))
  if (found === undefined)
    throw new Fault('not_found', `no ${kind.noun} has an id that starts with ${given}`, {
      hint: `list the ids: ${kind.list}`
    })
  if (second !== undefined)
    throw new Fault('usage', `several ${kind.noun} ids start with ${given}`, {
      hint: `give more characters; list the ids: ${kind.list}`
    })
  return found
}

/** Maximum number of ids in a hint. */
const TOLD_MOST = 3

function joinIds(things: readonly { id: string; name: string }[], name: string): string | undefined {
  const ids = things.filter((thing) => thing.name === name).map(({ id }) => id)
  if (ids.length === 0) return undefined
  const told = ids.slice(0, TOLD_MOST).join(', ')
  return `use the id of '${name}': ${told}${ids.length > TOLD_MOST ? ', …' : ''}`
}
