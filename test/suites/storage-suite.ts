import { APPEND_TESTS } from './storage-append-tests.ts'
import { ATTEMPT_TESTS } from './storage-attempt-tests.ts'
import { COLLECTION_TESTS } from './storage-collection-tests.ts'
import { CONNECTION_TESTS } from './storage-connection-tests.ts'
import { GRANT_LAWS } from './storage-grant-laws.ts'
import { KEY_TESTS } from './storage-key-tests.ts'
import { LAW_TESTS } from './storage-law-tests.ts'
import { PAGE_TESTS } from './storage-page-tests.ts'
import { type MakePlace, runStorageTests } from './storage-place.ts'
import { QUEUE_LAWS } from './storage-queue-laws.ts'
import { RACE_TESTS } from './storage-race-tests.ts'
import { REVOCATION_TESTS } from './storage-revocation-tests.ts'
import { CLAIM_TESTS } from './storage-sync-claim-tests.ts'
import { CLEANUP_TESTS } from './storage-sync-cleanup-tests.ts'
import { HOLDER_TESTS } from './storage-sync-holder-tests.ts'
import { ITEM_TESTS } from './storage-sync-item-tests.ts'
import { SYNC_LAWS } from './storage-sync-laws.ts'
import { SYNC_PAGE_TESTS } from './storage-sync-page-tests.ts'
import { QUEUE_TESTS } from './storage-sync-queue-tests.ts'
import { READ_TESTS } from './storage-sync-read-tests.ts'
import { VALUE_TESTS } from './storage-value-tests.ts'
import { VAULT_TESTS } from './storage-vault-tests.ts'

/** Tests the requirements of every storage engine. */
export function storageSuite(make: MakePlace): void {
  for (const tests of [COLLECTION_TESTS, KEY_TESTS, APPEND_TESTS, PAGE_TESTS, RACE_TESTS, LAW_TESTS])
    runStorageTests(make, tests)
  for (const tests of [ATTEMPT_TESTS, CONNECTION_TESTS, REVOCATION_TESTS, VAULT_TESTS, GRANT_LAWS])
    runStorageTests(make, tests)
  for (const tests of [CLAIM_TESTS, QUEUE_TESTS, QUEUE_LAWS, ITEM_TESTS]) runStorageTests(make, tests)
  for (const tests of [SYNC_PAGE_TESTS, READ_TESTS, HOLDER_TESTS, CLEANUP_TESTS, SYNC_LAWS, VALUE_TESTS])
    runStorageTests(make, tests)
}
