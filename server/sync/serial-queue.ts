/** Has one piece of work done at a time, in the order in which it was asked for. One that fails does not hold up the others. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

/** Turns of which none is taken yet. */
export function oneAtATime(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
}
