import type { SearchIndex } from '../../../src/search/search-index.ts'
import type { IndexLines } from './index-lines.ts'
import type { Mirror } from './mirror.ts'

/** The memories of one collection: the storage keeps one line of each, so what comes last is what counts. */
export function createSoleLines(index: SearchIndex, mirror: Mirror): IndexLines {
  const wipeLine = (id: Uint8Array): void => {
    const known = index.find(id)
    if (known !== undefined) mirror.wipe(known)
  }
  return {
    put(_collection, document) {
      wipeLine(document.id)
      index.add(document)
    },
    forget(_collection, id) {
      wipeLine(id)
      index.remove(id)
    }
  }
}
