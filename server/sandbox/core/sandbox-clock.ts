import type { Clock } from '../../../src/ports.ts'

/** The clock of the sandbox: that of the machine plus an offset. */
export type SandboxClock = {
  /** Returns milliseconds since 1970. */
  now(): number
  advance(ms: number): void
  set(at: number): void
  reset(): void
  /** Waits by the machine's clock. Rejects with the signal's reason. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

/** Creates a clock on top of the machine's. */
export function createSandboxClock(clock: Clock): SandboxClock {
  let ahead = 0
  return {
    now: () => clock.now() + ahead,
    advance: (ms) => {
      ahead += ms
    },
    set: (at) => {
      ahead = at - clock.now()
    },
    reset: () => {
      ahead = 0
    },
    wait: (ms, signal) => clock.wait(ms, signal)
  }
}
