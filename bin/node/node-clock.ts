import type { Clock } from '../../src/ports.ts'

/** The clock of this machine. An aborted wait rejects with an AbortError. */
export const nodeClock: Clock = {
  now: () => Date.now(),
  // The platform's own API for this loads a dozen modules of Node on first use.
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

/**
 * One shared error. Most waits are limits that are not reached, and creating an error is the most expensive part of
 * them.
 */
const STOPPED = new DOMException('the wait was stopped', 'AbortError')
