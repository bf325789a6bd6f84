import type { Run } from './run.ts'

/** A selected entry that is not synced, with the reason. */
export type UnsyncedEntry = { id: string; why: string }

/**
 * Finds the selected entries that the provider could not find or read. Each is stored as a skipped item under its own
 * id.
 */
export async function findUnsyncedSelection({ parts, selection, claim }: Run): Promise<UnsyncedEntry[]> {
  if (selection.length === 0) return []
  const connectionId = claim.hold.connectionId
  const known = await parts.storage.findKnownItems(connectionId, selection)
  const skipped = known.filter(({ status }) => status === 'skipped')
  const items = await Promise.all(skipped.map(({ id }) => parts.storage.findItem(connectionId, id)))
  return items.flatMap((item) => (item === undefined ? [] : [{ id: item.id, why: item.reason ?? 'not found' }]))
}

/** Describes the unsynced entries, for the connection and the run. */
export function describeUnsynced({ selection, claim }: Run, unsynced: readonly UnsyncedEntry[]): string {
  const of = `${unsynced.length} of the ${selection.length} selected`
  return `${of} ${unsynced.length === 1 ? 'is' : 'are'} not synced: ${listEntries(unsynced)}; ${toFix(claim.hold.connectionId)}`
}

/**
 * Thrown when nothing of the selection can be synced. That is more likely a mistake than an intention to delete
 * everything.
 */
export class NothingToSync extends Error {
  constructor({ claim }: Run, unsynced: readonly UnsyncedEntry[]) {
    const kept = 'nothing in the selection can be synced, so nothing was changed'
    super(`${kept}: ${listEntries(unsynced)}; ${toFix(claim.hold.connectionId)}`)
    this.name = 'NothingToSync'
  }
}

/** The number of entries that a message lists. */
const NAMED_MAX = 3

function listEntries(unsynced: readonly UnsyncedEntry[]): string {
  const named = unsynced.slice(0, NAMED_MAX).map(({ id, why }) => `${id} (${why})`)
  return [...named, ...(unsynced.length > NAMED_MAX ? ['…'] : [])].join(', ')
}

function toFix(connectionId: string): string {
  return `change the selection with memctl connections config ${connectionId}`
}
