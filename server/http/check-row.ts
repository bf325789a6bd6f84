import { Fault } from '../../src/contract/faults.ts'
import { noConnection } from '../connections/no-connection.ts'
import { type AccessParts, checkCollections } from './check-access.ts'
import type { Caller } from './handler.ts'
import type { Row } from './serve-row.ts'

/** To which collection a connection belongs, or an attempt to make one; undefined where there is no such thing. */
export type ConnectorCollections = {
  collectionOfConnection(id: string): Promise<string | undefined>
  collectionOfAttempt(state: string): Promise<string | undefined>
}

export type RowParts = AccessParts & { connections: ConnectorCollections }

/**
 * Lets a call pass whose key may do what the row asks for in the collections that its input concerns.
 *
 * @throws Fault `not_found` where there is no such collection, connection or attempt, `forbidden` without the permission.
 */
export async function checkRow(
  parts: RowParts,
  row: Row,
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
async function checkOwner(parts: RowParts, { access }: Row, { caller, id, none }: Owned): Promise<void> {
  if (id === undefined) throw none
  try {
    await checkCollections(parts, caller, { access, collectionIds: [id] })
  } catch (thrown) {
    throw thrown instanceof Fault && thrown.code === 'not_found' ? none : thrown
  }
}
