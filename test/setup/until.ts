/**
 * Lets what is under way go on until something holds. Counts neither time nor turns, so that a busy machine cannot break it:
 * only the runner's limit ends a wait for what never comes.
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve))
}
