import type { IndexReader } from '../index/index-reader.ts'

/** Compares two documents: negative if the left one is better, never 0 for different ones. */
type Better = (left: number, right: number) => number

type TopDocuments = {
  /** Offers a document. Returns the worst document kept once the limit is reached; a worse one need not be offered. */
  offer(document: number): number | undefined
  /** Returns the documents kept, best first. */
  best(): number[]
}

/** Creates a collector of the best documents of a stream: a heap whose root is the worst one kept. */
export function createTopDocuments(limit: number, better: Better): TopDocuments {
  const heap: number[] = []
  const worse = (left: number, right: number): boolean => better(heap[left] ?? 0, heap[right] ?? 0) > 0
  const swap = (left: number, right: number): void => {
    const kept = heap[left] ?? 0
    heap[left] = heap[right] ?? 0
    heap[right] = kept
  }
  const rise = (from: number): void => {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!worse(at, parent)) return
      swap(at, parent)
      at = parent
    }
  }
  const sink = (): void => {
    for (let at = 0; ; ) {
      let worst = at
      for (const child of [2 * at + 1, 2 * at + 2]) if (child < heap.length && worse(child, worst)) worst = child
      if (worst === at) return
      swap(at, worst)
      at = worst
    }
  }
  return {
    offer(document) {
      if (heap.length < limit) {
        rise(heap.push(document) - 1)
      } else if (limit > 0 && better(document, heap[0] ?? 0) < 0) {
        heap[0] = document
        sink()
      }
      return heap.length < limit ? undefined : heap[0]
    },
    best: () => heap.slice().sort(better)
  }
}

/** Creates the order of documents with equal scores: the newer first, then the smaller id. */
export function createNewerFirst(index: Pick<IndexReader, 'timeOf' | 'idOf'>): Better {
  return (left, right) =>
    index.timeOf(right) - index.timeOf(left) || Buffer.compare(index.idOf(left), index.idOf(right))
}
