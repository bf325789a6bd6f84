import type { Access } from '../../src/contract/endpoint.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { Clock } from '../../src/ports.ts'
import { noConnection } from '../connections/no-connection.ts'
import type { StoredCollection } from '../storage/port/collection-storage.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Caller } from './handler.ts'
import type { EndpointRow } from './request/sort-routes.ts'

/** Finds the collection of a connection or of an attempt. Both functions return undefined if it does not exist. */
export type ConnectorCollections = {
  collectionOfConnection(id: string): Promise<string | undefined>
  collectionOfAttempt(state: string): Promise<string | undefined>
}

type RowParts = AccessParts & { connections: ConnectorCollections }

/**
 * Checks that the key of a call has the access that the row requires, in the collections that the input names.
 *
 * @throws Fault `not_found` if the collection, connection or attempt does not exist, `forbidden` without the
 * permission.
 */
export async function checkRow(
  parts: RowParts,
  row: EndpointRow,
  { caller, input }: { caller: Caller; input: unknown }
): Promise<void> {
  // The type differs for each row. At this point it is any input that passed the row's schema.
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
  return new Fault('not_found', 'no consent attempt has this state', {
    hint: 'start a new one: memctl connect PROVIDER -c COLLECTION'
  })
}

type Owned = { caller: Caller; id: string | undefined; none: Fault }

/**
 * Checks the collection that owns a connection or an attempt. If the collection was deleted, the fault is the one for
 * the missing connection.
 */
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
 * Checks that a key has the access that a row requires in the given collections.
 *
 * @throws Fault `not_found` if a collection does not exist, `forbidden` if the key lacks the permission.
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
    if (!collection)
      throw new Fault('not_found', `collection ${id} does not exist`, { hint: 'memctl collections list' })
    if (!mayUse(caller, collection, access)) throw mayNot(caller, access, { index, count: collectionIds.length })
  }
}

/**
 * Builds the fault without naming the collection, because a caller may know a connection or a state whose collection it
 * cannot see. If the caller named several collections, the position identifies the one that is meant.
 */
function mayNot(caller: Caller, access: Access, { index, count }: { index: number; count: number }): Fault {
  const which = count === 1 ? 'this collection' : `collection ${index + 1} of the ${count} in the request`
  return new Fault('forbidden', `the key \`${caller.name}\` does not have \`${access}\` permission for ${which}`, {
    hint: `ask an admin for a key with \`${access}\` permission for it`
  })
}

/**
 * Checks that the key belongs to an admin.
 *
 * @throws Fault `forbidden` if it does not.
 */
export function checkAdmin(caller: Caller): void {
  if (caller.admin) return
  throw new Fault('forbidden', `the key \`${caller.name}\` is not an admin key`, { hint: 'use an admin key' })
}

/**
 * Returns whether a caller has access to a collection. `edit` includes `read`. A collection with an owner is open only
 * to that key and to admins, whatever is granted.
 */
export function mayUse(
  caller: Caller,
  { id, ownerKeyId }: Pick<StoredCollection, 'id' | 'ownerKeyId'>,
  access: Access
): boolean {
  if (caller.admin) return true
  if (ownerKeyId !== undefined) return ownerKeyId === caller.keyId
  const permission = caller.grants.get(id)
  return permission === 'edit' || (permission === 'read' && access === 'read')
}
