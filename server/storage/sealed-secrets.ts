import type { Transaction } from 'kysely'
import type { Sealed, StaleSecret } from './connector-storage.ts'
import { secretIdentity } from './secret-identity.ts'
import { copyOf, textFrom } from './stored-values.ts'
import type { Bytes, Db, Tables } from './tables.ts'

/** The keys that some secret is sealed with, each once. */
export async function selectUsedKeys(db: Db): Promise<string[]> {
  const [credentials, verifiers, held] = [
    await db.selectFrom('credentials').select('secret_key as key').distinct().execute(),
    await db.selectFrom('attempts').select('verifier_key as key').distinct().execute(),
    await db.selectFrom('attempts').select('held_key as key').distinct().execute()
  ]
  const keys = [...credentials, ...verifiers, ...held].flatMap(({ key }) => key ?? [])
  return [...new Set(keys)].sort()
}

/** Secrets that are sealed with another key than `current`, `limit` at most. */
export async function selectSealedWithOther(db: Db, current: string, limit: number): Promise<StaleSecret[]> {
  const found: StaleSecret[] = []
  for (const select of [selectCredentials, selectVerifiers, selectHeld])
    if (found.length < limit) found.push(...(await select(db, current, limit - found.length)))
  return found
}

/** False where the secret is no longer the one that `stale` has. */
export function replaceSecret(transaction: Transaction<Tables>, stale: StaleSecret, next: Sealed): Promise<boolean> {
  return REPLACE[stale.kind](transaction, stale, next)
}

async function selectCredentials(db: Db, current: string, limit: number): Promise<StaleSecret[]> {
  const rows = await db
    .selectFrom('credentials')
    .select(['id', 'provider', 'client_id', 'account_id', 'secret', 'secret_key'])
    // Two stretches of an index instead of a look at every row.
    .where((row) => row.or([row('secret_key', '<', current), row('secret_key', '>', current)]))
    .limit(limit)
    .execute()
  return rows.map(({ id, provider, client_id, account_id, secret, secret_key }) => {
    const of = { provider, clientId: textFrom(client_id), accountId: textFrom(account_id) }
    return { kind: 'credential', id, identity: secretIdentity.credential(of), secret: sealedOf(secret, secret_key) }
  })
}

async function selectVerifiers(db: Db, current: string, limit: number): Promise<StaleSecret[]> {
  const rows = await db
    .selectFrom('attempts')
    .select(['id', 'verifier', 'verifier_key'])
    .where('verifier_key', '!=', current)
    .limit(limit)
    .execute()
  return rows.flatMap(({ id, verifier, verifier_key }) =>
    verifier === null || verifier_key === null
      ? []
      : [{ kind: 'verifier', id, identity: secretIdentity.verifier({ id }), secret: sealedOf(verifier, verifier_key) }]
  )
}

async function selectHeld(db: Db, current: string, limit: number): Promise<StaleSecret[]> {
  const rows = await db
    .selectFrom('attempts')
    .select(['id', 'held', 'held_key'])
    .where('held_key', '!=', current)
    .limit(limit)
    .execute()
  return rows.flatMap(({ id, held, held_key }) =>
    held === null || held_key === null
      ? []
      : [{ kind: 'held', id, identity: secretIdentity.held({ id }), secret: sealedOf(held, held_key) }]
  )
}

type Replace = (transaction: Transaction<Tables>, stale: StaleSecret, next: Sealed) => Promise<boolean>

const REPLACE: Readonly<Record<StaleSecret['kind'], Replace>> = {
  async credential(transaction, { id, secret }, next) {
    const { numUpdatedRows } = await transaction
      .updateTable('credentials')
      .set({ secret: next.bytes, secret_key: next.keyId })
      .where('id', '=', id)
      .where('secret', '=', secret.bytes)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
  async verifier(transaction, { id, secret }, next) {
    const { numUpdatedRows } = await transaction
      .updateTable('attempts')
      .set({ verifier: next.bytes, verifier_key: next.keyId })
      .where('id', '=', id)
      .where('verifier', '=', secret.bytes)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
  async held(transaction, { id, secret }, next) {
    const { numUpdatedRows } = await transaction
      .updateTable('attempts')
      .set({ held: next.bytes, held_key: next.keyId })
      .where('id', '=', id)
      .where('held', '=', secret.bytes)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
}

function sealedOf(bytes: Bytes, keyId: string): Sealed {
  return { keyId, bytes: copyOf(bytes) }
}
