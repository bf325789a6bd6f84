import type { Thread, ThreadMain } from '../../src/ports.ts'
import { answerCall } from './answer-call.ts'
import { createPendingCalls, threadGone } from './pending-calls.ts'
import { startMain } from './serve-thread.ts'
import type { AnswerMessage } from './thread-message.ts'

/**
 * What a thread's program does, done in this thread: for tests, and where the program is not built. What goes over is
 * cloned and moved as between threads.
 */
export function localThread(main: ThreadMain, data: unknown): Thread {
  const pending = createPendingCalls()
  const handlers = startMain(main, structuredClone(data))
  let isEnded = false
  return {
    call: (name, argument, hand = []) =>
      pending.begin((call) => {
        if (isEnded) throw threadGone('has ended')
        const message = structuredClone({ call, name, argument }, { transfer: [...hand] })
        void answerCall(handlers, message, (answer, hand) =>
          pending.settle(structuredClone<AnswerMessage>(answer, { transfer: hand }))
        )
      }),
    async end() {
      isEnded = true
      pending.rejectAll(threadGone('has ended'))
    }
  }
}
