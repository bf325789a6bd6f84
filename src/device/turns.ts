/** Runs works one after another, in the order in which they are given. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

/** Turns of which nobody has had one. A work that fails holds up none after it. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work, work)
    last = turn.catch(() => undefined)
    return turn
  }
}
