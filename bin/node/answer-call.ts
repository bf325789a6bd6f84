import type { ThreadHandlers } from '../../src/ports.ts'
import { type AnswerMessage, type CallMessage, toSentError } from './thread-message.ts'

/** Sends an answer; the memory of the buffers in `hand` goes with it. */
export type SendAnswer = (message: AnswerMessage, hand: ArrayBuffer[]) => void

/** Does what a call asks for and sends what came of it: always exactly one answer. */
export async function answerCall(
  handlers: ThreadHandlers | Promise<ThreadHandlers>,
  { call, name, argument }: CallMessage,
  send: SendAnswer
): Promise<void> {
  const hand: ArrayBuffer[] = []
  try {
    const handler = (await handlers)[name]
    if (handler === undefined) throw new Error(`the thread has nothing called ${name}`)
    const value = await handler(argument as never, hand)
    send({ call, value }, hand)
  } catch (error) {
    send({ call, ...toSentError(error) }, [])
  }
}
