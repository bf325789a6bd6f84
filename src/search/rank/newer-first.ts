import type { IndexReader } from '../index/index-reader.ts'
import type { Better } from './top-documents.ts'

/** The order of documents that are as good as each other: the newer first, then that with the smaller id. */
export function newerFirst(index: Pick<IndexReader, 'timeOf' | 'idOf'>): Better {
  return (left, right) =>
    index.timeOf(right) - index.timeOf(left) || Buffer.compare(index.idOf(left), index.idOf(right))
}
