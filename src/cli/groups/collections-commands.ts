import type { Entry } from '../command.ts'
import { createCollection } from '../commands/collections/create-collection.ts'
import { deleteCollection } from '../commands/collections/delete-collection.ts'
import { listCollections } from '../commands/collections/list-collections.ts'
import { showCollection } from '../commands/collections/show-collection.ts'
import { restoreCollection } from '../commands/collections-restore/restore-collection.ts'

/** What stands below `memctl collections`. */
export const COLLECTIONS_COMMANDS: readonly Entry[] = [
  listCollections,
  createCollection,
  showCollection,
  deleteCollection,
  restoreCollection
]
