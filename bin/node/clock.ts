import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../src/ports.ts'

/** The clock of this machine. A wait that is aborted rejects. */
export const nodeClock: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
  wait: (ms, signal) => delay(ms, undefined, { signal })
}
