import type { Collection } from '../../contract/endpoints/collections.ts'
import type { ListView, ObjectView } from '../output/answer.ts'
import { cardLines } from '../output/card.ts'
import { shortGuid, shortTime } from '../output/short-forms.ts'

/** Collections as a list. */
export const COLLECTION_LIST: ListView<Collection> = {
  columns: [
    { name: 'id', value: ({ id }) => id, shown: ({ id }) => shortGuid(id) },
    { name: 'name', value: ({ name }) => name, flexible: true },
    { name: 'memories', value: ({ memories }) => memories, leaves: 1 },
    { name: 'created_at', value: (one) => one.created_at, shown: (one) => shortTime(one.created_at), leaves: 3 },
    { name: 'expires_at', value: (one) => one.expires_at, shown: (one) => shortTime(one.expires_at), leaves: 2 }
  ],
  json: (collection) => collection
}

/** One collection, in a pipe as a row of the list. */
export function collectionView(collection: Collection): ObjectView {
  const { id, name, memories, created_at, expires_at } = collection
  return {
    lines: (page) =>
      cardLines(
        [
          ['id', id],
          ['name', name],
          ['memories', memories],
          ['created', shortTime(created_at)],
          ['expires', shortTime(expires_at)]
        ],
        page
      ),
    rows: () => [COLLECTION_LIST.columns.map((column) => column.value(collection))]
  }
}
