import type { Run } from './run.ts'

/** What was selected and is not taken in, and why. */
export type LeftOut = { id: string; why: string }

/** All that the provider could not find, or not read, among what is selected: each is a skipped item under its own id. */
export async function leftOutOf({ parts, selection, claim }: Run): Promise<LeftOut[]> {
  if (selection.length === 0) return []
  const connectionId = claim.hold.connectionId
  const known = await parts.storage.knownItems(connectionId, selection)
  const skipped = known.filter(({ status }) => status === 'skipped')
  const items = await Promise.all(skipped.map(({ id }) => parts.storage.item(connectionId, id)))
  return items.flatMap((item) => (item === undefined ? [] : [{ id: item.id, why: item.reason ?? 'not there' }]))
}

/** What is noted at a connection of which a part of the selection is left out. */
export function leftOutError({ selection, claim }: Run, leftOut: readonly LeftOut[]): string {
  const of = `${leftOut.length} of the ${selection.length} selected`
  return `${of} ${leftOut.length === 1 ? 'is' : 'are'} not synced: ${listed(leftOut)}; ${mends(claim.hold.connectionId)}`
}

/** Nothing that was selected can be read: a mistake, more likely than the wish to delete all that was synced. */
export class NothingToRead extends Error {
  constructor({ claim }: Run, leftOut: readonly LeftOut[]) {
    const kept = 'nothing of what was selected can be synced, so nothing was changed'
    super(`${kept}: ${listed(leftOut)}; ${mends(claim.hold.connectionId)}`)
    this.name = 'NothingToRead'
  }
}

/** So many are named. */
const NAMED_MAX = 3

function listed(leftOut: readonly LeftOut[]): string {
  const named = leftOut.slice(0, NAMED_MAX).map(({ id, why }) => `${id} (${why})`)
  return [...named, ...(leftOut.length > NAMED_MAX ? ['…'] : [])].join(', ')
}

function mends(connectionId: string): string {
  return `memctl connections config ${connectionId} chooses anew`
}
