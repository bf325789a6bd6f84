import type { Storage } from './storage.ts'

/** What can be asked of a storage, by name. */
export const STORAGE_METHODS = [
  'ping',
  'createCollection',
  'collection',
  'collections',
  'collectionsOf',
  'deleteCollection',
  'expiredCollections',
  'append',
  'page',
  'verifyLines',
  'noteDamage',
  'knownIds',
  'createKey',
  'keyByHash',
  'keys',
  'revokeKey',
  'setUp',
  'createAttempt',
  'attempt',
  'useAttempt',
  'endAttempt',
  'holdGrant',
  'completeAttempt',
  'takeOldAttempts',
  'connection',
  'connectionsOf',
  'updateConnection',
  'noteError',
  'revokeConnection',
  'takeUnusedCredentials',
  'credential',
  'credentialOf',
  'leaseRefresh',
  'saveRefreshed',
  'endRefresh',
  'storeId',
  'vaultKeys',
  'changeVaultKey',
  'staleSecrets',
  'resealSecret',
  'claimDue',
  'nextDue',
  'requestSync',
  'renewLease',
  'beginReads',
  'endReads',
  'commitPage',
  'endRun',
  'knownItems',
  'dueItems',
  'nextTry',
  'countUnseen',
  'unseenItems',
  'ledgerValue',
  'ledgerEntries',
  'schedule',
  'setPaused',
  'runs',
  'run',
  'items',
  'item',
  'retryItem',
  'askCleanup',
  'openCleanups',
  'claimCleanup',
  'releaseMemories',
  'purgeRevoked',
  'checkPart',
  'asideEntries',
  'claimScrub',
  'keepScrub',
  'replaceScrub'
] as const satisfies readonly (keyof Storage)[]

export type StorageMethod = (typeof STORAGE_METHODS)[number]

/** What stands around every call: it makes the call, once or more often, and gives back what came of it. */
export type Around = <T>(call: () => Promise<T>, method: StorageMethod, given: readonly unknown[]) => Promise<T>

/** The same storage with something around each call but `close`. */
export function wrapStorage(storage: Storage, around: Around): Storage {
  const wrapped = STORAGE_METHODS.map((method) => {
    // Which arguments belong to which method is lost in a list of them; they are handed on as they came.
    const call = storage[method] as (...given: unknown[]) => Promise<unknown>
    return [method, (...given: unknown[]) => around(() => call(...given), method, given)]
  })
  return { ...storage, ...(Object.fromEntries(wrapped) as Omit<Storage, 'close'>) }
}
