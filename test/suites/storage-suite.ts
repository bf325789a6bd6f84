import { appendTests } from './storage-append-tests.ts'
import { collectionTests } from './storage-collection-tests.ts'
import { keyTests } from './storage-key-tests.ts'
import { lawTests } from './storage-law-tests.ts'
import { pageTests } from './storage-page-tests.ts'
import type { MakePlace } from './storage-place.ts'
import { raceTests } from './storage-race-tests.ts'

/** What every engine of the storage must do. */
export function storageSuite(make: MakePlace): void {
  collectionTests(make)
  keyTests(make)
  appendTests(make)
  pageTests(make)
  raceTests(make)
  lawTests(make)
}
