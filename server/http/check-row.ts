import type { Access } from '../../src/contract/endpoint.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { Clock } from '../../src/ports.ts'
import { noConnection } from '../connections/no-connection.ts'
import type { StoredCollection } from '../storage/port/collection-storage.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Caller } from './handler.ts'
import type { EndpointRow } from './request/sort-routes.ts'

/** To which collection a connection belongs, or an attempt to make one; undefined where there is no such thing. */
export type ConnectorCollections = {
  collectionOfConnection(id: string): Promise<string | undefined>
  collectionOfAttempt(state: string): Promise<string | undefined>
}

type RowParts = AccessParts & { connections: ConnectorCollections }

/**
 * Lets a call pass whose key may do what the row asks for in the collections that its input concerns.
 *
 * @throws Fault `not_found` where there is no such collection, connection or attempt, `forbidden` without the permission.
 */
export async function checkRow(
  parts: RowParts,
  row: EndpointRow,
  { caller, input }: { caller: Caller; input: unknown }
): Promise<void> {
  // The type says what each row's own input is; here it is whatever passed its schema.
  const known = input as never
  if (row.collections) {
    await checkCollections(parts, caller, { access: row.access, collectionIds: row.collections(known) })
  } else if (row.connection) {
    const id = row.connection(known)
    await checkOwner(parts, row, {
      caller,
      id: await parts.connections.collectionOfConnection(id),
      none: noConnection(id)
    })
  } else if (row.attempt) {
    const id = await parts.connections.collectionOfAttempt(row.attempt(known))
    await checkOwner(parts, row, { caller, id, none: noAttempt() })
  }
}

function noAttempt(): Fault {
  return new Fault('not_found', 'there is no attempt with this state', {
    hint: 'begin again: memctl connect PROVIDER -c COLLECTION'
  })
}

type Owned = { caller: Caller; id: string | undefined; none: Fault }

/** What belongs to a collection that is gone is gone, too. */
async function checkOwner(parts: RowParts, { access }: EndpointRow, { caller, id, none }: Owned): Promise<void> {
  if (id === undefined) throw none
  try {
    await checkCollections(parts, caller, { access, collectionIds: [id] })
  } catch (thrown) {
    throw thrown instanceof Fault && thrown.code === 'not_found' ? none : thrown
  }
}

type AccessParts = { storage: Pick<Storage, 'listCollections'>; clock: Pick<Clock, 'now'> }

/** The access that a row requires, and the collections that a call names. */
type Wanted = { access: Access; collectionIds: readonly string[] }

/**
 * Lets a call pass whose key may do in its collections what the row asks for.
 *
 * @throws Fault `not_found` where there is no such collection, `forbidden` where the key lacks the permission.
 */
async function checkCollections(
  { storage, clock }: AccessParts,
  caller: Caller,
  { access, collectionIds }: Wanted
): Promise<void> {
  if (collectionIds.length === 0) return
  const now = clock.now()
  const found = await storage.listCollections(collectionIds)
  const live = new Map(found.filter(({ expiresAt }) => (expiresAt ?? Infinity) > now).map((one) => [one.id, one]))
  for (const [index, id] of collectionIds.entries()) {
    const collection = live.get(id)
    if (!collection) throw new Fault('not_found', `there is no collection ${id}`, { hint: 'memctl collections list' })
    if (!mayUse(caller, collection, access)) throw mayNot(caller, access, { index, count: collectionIds.length })
  }
}

/**
 * Names no collection: a caller may know a connection, or the state of a consent, of one that it cannot see. Of several
 * that it named itself, the place in the list tells which one is meant.
 */
function mayNot(caller: Caller, access: Access, { index, count }: { index: number; count: number }): Fault {
  const which = count === 1 ? 'this collection' : `collection ${index + 1} of the ${count} asked for`
  return new Fault('forbidden', `the key \`${caller.name}\` may not ${access} ${which}`, {
    hint: `ask an admin for a key with a grant \`${access}\` on it`
  })
}

/** @throws Fault `forbidden` unless the key is an admin's. */
export function checkAdmin(caller: Caller): void {
  if (caller.admin) return
  throw new Fault('forbidden', `the key \`${caller.name}\` is not an admin's`, { hint: "use an admin's key" })
}

/** `edit` includes `read`. One that has an owner is that key's alone, whatever is granted, and admins'. */
function mayUse(caller: Caller, { id, ownerKeyId }: StoredCollection, access: Access): boolean {
  if (caller.admin) return true
  if (ownerKeyId !== undefined) return ownerKeyId === caller.keyId
  const permission = caller.grants.get(id)
  return permission === 'edit' || (permission === 'read' && access === 'read')
}
