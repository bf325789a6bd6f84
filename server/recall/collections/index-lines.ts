import type { IndexDocument } from '../../../src/search/index/index-writer.ts'

/** Takes what changed in a collection into an index. `collection` is its number in the index. */
export type IndexLines = {
  /** A memory whose line stands in the mirror: a new one, or a better line in the place of another. */
  put(collection: number, document: IndexDocument): void
  forget(collection: number, id: Uint8Array): void
}
