/** Looks at every turn of the event loop: what this thread does by itself comes within a few of them. */
const EAGER_LOOKS = 200
/** Between looks from then on, which leave the processor to what is waited for: a process, a thread, a database. */
const PAUSE_MS = 2

/**
 * Lets what is under way go on until something holds. Counts neither time nor turns, so that a busy machine cannot break it:
 * only the runner's limit ends a wait for what never comes.
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; !(await holds()); looks++)
    await new Promise((resolve) => (looks < EAGER_LOOKS ? setImmediate(resolve) : setTimeout(resolve, PAUSE_MS)))
}
