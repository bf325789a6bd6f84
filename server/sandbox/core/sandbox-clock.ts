import type { Clock } from '../../../src/ports.ts'

/** The clock of the sandbox: that of the machine, moved as far as somebody asked. */
export type SandboxClock = {
  /** Milliseconds since 1970. */
  now(): number
  advance(ms: number): void
  set(at: number): void
  reset(): void
  /** By the machine's clock. Rejects with the reason of the signal. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

/** A clock over that of the machine. */
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
