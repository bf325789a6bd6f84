import { Fault } from '../../contract/faults.ts'

/** Characters of an id that a person has to give at least. */
const PREFIX_LEAST = 6

/** What an id is one of, and the command that lists them. */
export type Kind = { noun: string; list: string }

/**
 * The one thing whose id begins so. Throws a fault where there is none, or more than one, or too little is given. Names may
 * be given to several things, so a name finds nothing; but the ids that have it are told.
 */
export function findById<Thing extends { id: string; name: string }>(
  things: readonly Thing[],
  given: string,
  kind: Kind
): Thing {
  const prefix = given.toLowerCase()
  if (!/^[0-9a-f-]*$/.test(prefix) || prefix.length < PREFIX_LEAST) {
    throw new Fault('usage', `'${given}' is no id of a ${kind.noun}, nor ${PREFIX_LEAST} characters or more of one`, {
      hint: joinIds(things, given) ?? `${kind.list} shows them`
    })
  }
  const [found, second] = things.filter(({ id }) => id.toLowerCase().startsWith(prefix))
  if (found === undefined)
    throw new Fault('not_found', `there is no ${kind.noun} ${given}`, { hint: `${kind.list} shows them` })
  if (second !== undefined)
    throw new Fault('usage', `several ids begin with ${given}`, { hint: `give more of it; ${kind.list} shows them` })
  return found
}

/** Ids that are told at most. */
const TOLD_MOST = 3

function joinIds(things: readonly { id: string; name: string }[], name: string): string | undefined {
  const ids = things.filter((thing) => thing.name === name).map(({ id }) => id)
  if (ids.length === 0) return undefined
  const told = ids.slice(0, TOLD_MOST).join(', ')
  return `of that name ${ids.length === 1 ? 'is' : 'are'} ${told}${ids.length > TOLD_MOST ? ' …' : ''}`
}
