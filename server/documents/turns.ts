/** One after the other, in the order in which they came. */
export type Turns = {
  /** Rejects with the reason of the signal where it is aborted before its turn. */
  take<T>(signal: AbortSignal, job: () => Promise<T>): Promise<T>
}

/** Nobody waits yet. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return {
    take(signal, job) {
      const mine = last.then(() => {
        signal.throwIfAborted()
        return job()
      })
      last = mine.catch(() => undefined)
      return mine
    }
  }
}
