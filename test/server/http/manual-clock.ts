import type { Clock } from '../../../src/ports.ts'

/** Time that moves when a test moves it. */
export type ManualClock = Clock & {
  /** Lets so many milliseconds pass, and what waited for them go on. */
  pass(ms: number): Promise<void>
  /** Waits that are under way: all of them, or those that began with so many milliseconds. */
  waiting(ms?: number): number
}

export const START = Date.parse('2026-05-01T12:00:00.000Z')

type Wait = { ms: number; until: number; end(): void }

/** Its ticks have fractions that grow with each look, as those of a machine do. */
export function manualClock(): ManualClock {
  let passed = 0
  let looks = 0
  const waits = new Set<Wait>()

  return {
    now: () => START + passed,
    ticks: () => passed + 1 - 1 / (2 + looks++),
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        if (ms <= 0) return resolve()
        const called = (): void => {
          waits.delete(wait)
          reject(signal?.reason)
        }
        const end = (): void => {
          signal?.removeEventListener('abort', called)
          resolve()
        }
        const wait = { ms, until: passed + ms, end }
        waits.add(wait)
        signal?.addEventListener('abort', called)
      }),
    async pass(ms) {
      passed += ms
      for (const wait of waits) {
        if (wait.until > passed) continue
        waits.delete(wait)
        wait.end()
      }
      // What went on may take a few turns until it shows.
      for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    },
    waiting: (ms) => (ms === undefined ? waits.size : [...waits].filter((wait) => wait.ms === ms).length)
  }
}
