import type { Clock } from '../../src/ports.ts'

/** The clock of this machine. A wait that is aborted rejects with an AbortError. */
export const nodeClock: Clock = {
  now: () => Date.now(),
  // What the platform has for this loads a dozen modules of Node with its first use.
  ticks: () => Number(process.hrtime.bigint()) / 1e6,
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(STOPPED)
      const stop = () => {
        clearTimeout(timer)
        reject(STOPPED)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, ms)
      signal?.addEventListener('abort', stop, { once: true })
    })
}

/** The same each time: most waits are limits that are not reached, and to make an error takes longer than all else about them. */
const STOPPED = new DOMException('the wait was stopped', 'AbortError')
