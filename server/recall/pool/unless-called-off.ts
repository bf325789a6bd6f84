import { Fault } from '../../../src/contract/faults.ts'

/**
 * Awaits the answer of a call that several callers share. Rejects with `cancelled` if this caller's signal is aborted.
 */
export async function unlessCalledOff<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return answer
  let stop = (): void => undefined
  const calledOff = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new Fault('cancelled', 'the client disconnected'))
  })
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([calledOff, answer])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
