import { Fault } from '../contract/faults.ts'

/** The values, as long as nobody interrupts: then it throws, and the command says in what state things are left. */
export function* untilStopped<Value>(values: Iterable<Value>, interrupted: AbortSignal): Generator<Value> {
  for (const value of values) {
    if (interrupted.aborted) throw new Fault('cancelled', '')
    yield value
  }
}
