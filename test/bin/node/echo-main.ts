import { Fault } from '../../../src/contract/faults.ts'
import type { ThreadMain } from '../../../src/ports.ts'

/** A program for tests of threads: reports what it was told, and fails in every possible way. */
export const echoMain: ThreadMain = (data: { greeting: string }) => {
  if (data.greeting === '') throw new Fault('locked', 'no greeting', { hint: 'greet' })
  return {
    greet: (name: string) => `${data.greeting} ${name}`,
    double: (bytes: Uint8Array, hand) => {
      const doubled = bytes.map((byte) => byte * 2)
      hand.push(doubled.buffer as ArrayBuffer)
      return doubled
    },
    refuse: () => {
      const errors = [{ path: 'a[0]', message: 'is wrong' }]
      throw new Fault('invalid_input', 'the input is off', { hint: 'mend it', errors, retryAfter: 3 })
    },
    fall: () => {
      throw new TypeError('a bug')
    },
    unsendable: () => () => undefined,
    wait: () => new Promise(() => undefined),
    die: () => process.exit(3)
  }
}
