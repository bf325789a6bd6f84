import type { Clock } from '../../../src/ports.ts'

/** A clock that the test moves. */
export type ManualClock = Clock & {
  /** Advances the time by some milliseconds, and resolves the waits that end. */
  pass(ms: number): Promise<void>
  /** Counts the pending waits: all of them, or those with this duration. */
  waiting(ms?: number): number
}

export const START = Date.parse('2026-05-01T12:00:00.000Z')

type Wait = { ms: number; until: number; end(): void }

/** Creates a clock whose ticks have fractions that increase with each reading, as on a real machine. */
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
      // Resumed work may need a few turns until its effects are visible.
      for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    },
    waiting: (ms) => (ms === undefined ? waits.size : [...waits].filter((wait) => wait.ms === ms).length)
  }
}
