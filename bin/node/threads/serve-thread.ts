import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadHandlers, ThreadMain } from '../../../src/ports.ts'
import { answerCall, type CallMessage, type SendAnswer } from './pending-calls.ts'

/** Serves `startThread` in a thread. Answers its calls until it is ended. */
export function serveThread(main: ThreadMain): void {
  const port = parentPort
  if (port === null) throw new Error('this program runs only in a thread')
  const handlers = startMain(main, workerData)
  const send: SendAnswer = (message, hand) => port.postMessage(message, hand)
  port.on('message', (message: CallMessage) => void answerCall(handlers, message, send))
}

/** Starts the main function. If it fails, every call rejects with the error, without an unhandled rejection. */
export function startMain(main: ThreadMain, data: unknown): Promise<ThreadHandlers> {
  const handlers = Promise.resolve(data as never).then(main)
  handlers.catch(() => undefined)
  return handlers
}
