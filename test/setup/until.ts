/** Checks at every turn of the event loop, which suffices for work in this thread. */
const EAGER_LOOKS = 200
/** The pause between other checks, which leaves the processor to the awaited process, thread, server or database. */
const PAUSE_MS = 2

/**
 * Waits until a condition holds or a value is found, and returns it. A check that returns a promise costs a request, so
 * it is repeated less often. Counts neither time nor turns, so that a busy machine cannot break it. Only the runner's
 * limit ends a wait for something that never happens.
 */
export async function until<T>(look: () => T | Promise<T>): Promise<Exclude<T, false | undefined>> {
  for (let looks = 0; ; looks++) {
    const looked = look()
    const found = await looked
    if (isFound(found)) return found
    const isEager = !(looked instanceof Promise) && looks < EAGER_LOOKS
    await new Promise((resolve) => (isEager ? setImmediate(resolve) : setTimeout(resolve, PAUSE_MS)))
  }
}

function isFound<T>(value: T): value is Exclude<T, false | undefined> {
  return value !== false && value !== undefined
}
