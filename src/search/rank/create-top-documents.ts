import type { IndexReader } from '../index/index-reader.ts'

/** Orders two documents: negative where the left one is better. Must tell any two apart. */
type Better = (left: number, right: number) => number

type TopDocuments = {
  /** Gives the worst of those that are kept once there are as many as wanted: whatever is worse need not be offered. */
  offer(document: number): number | undefined
  /** Those that are kept, best first. */
  best(): number[]
}

/** The best of a stream of documents, in a heap whose root is the worst that is kept. */
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

/** The order of documents that are as good as each other: the newer first, then that with the smaller id. */
export function createNewerFirst(index: Pick<IndexReader, 'timeOf' | 'idOf'>): Better {
  return (left, right) =>
    index.timeOf(right) - index.timeOf(left) || Buffer.compare(index.idOf(left), index.idOf(right))
}
