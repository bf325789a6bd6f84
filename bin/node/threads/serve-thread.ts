import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadHandlers, ThreadMain } from '../../../src/ports.ts'
import { answerCall, type CallMessage, type SendAnswer } from './pending-calls.ts'

/** The other end of `startThread`: run by a thread, answers its calls until it is ended. */
export function serveThread(main: ThreadMain): void {
  const port = parentPort
  if (port === null) throw new Error('this program is run in a thread')
  const handlers = startMain(main, workerData)
  const send: SendAnswer = (message, hand) => port.postMessage(message, hand)
  port.on('message', (message: CallMessage) => void answerCall(handlers, message, send))
}

/** A start that fails is told to every call, and is no rejection that nobody looks at. */
export function startMain(main: ThreadMain, data: unknown): Promise<ThreadHandlers> {
  const handlers = Promise.resolve(data as never).then(main)
  handlers.catch(() => undefined)
  return handlers
}
