/** Checks at every turn of the event loop, which suffices for work in this thread. */
const EAGER_LOOKS = 200
/** The pause between later checks, which leaves the processor to the awaited process, thread or database. */
const PAUSE_MS = 2

/**
 * Waits until a condition holds. Counts neither time nor turns, so that a busy machine cannot break it. Only the
 * runner's limit ends a wait for something that never happens.
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; !(await holds()); looks++)
    await new Promise((resolve) => (looks < EAGER_LOOKS ? setImmediate(resolve) : setTimeout(resolve, PAUSE_MS)))
}
