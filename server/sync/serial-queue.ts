/** Runs one task at a time, in the order of the calls. A failed task does not stop the next one. */
export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>

/** Creates an empty queue. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
}
