import { Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import type { ThreadMain } from '../../../src/ports.ts'
import { CHILD_STREAMS, MEMORY_VARIABLE } from './child-thread.ts'
import { type Frame, type PlainError, readFrames, writeFrame } from './frame.ts'
import { type AnswerMessage, answerCall, type CallMessage } from './pending-calls.ts'
import { startMain } from './serve-thread.ts'

/** The largest call, in bytes: a file of the largest size that is read. */
const CALL_BYTES_MAX = 64 * 1024 * 1024

/** How often the resident memory is looked at, in milliseconds. */
const LOOK_EVERY_MS = 50

/** Signals that a terminal or a service manager sends to a whole group: the server decides when a child ends. */
const SERVERS_OWN = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The other end of `childThread`: run by a child process, answers its calls until the server ends it or is gone. */
export function serveChild(main: ThreadMain): void {
  for (const signal of SERVERS_OWN) process.on(signal, () => undefined)
  // In a thread of its own, which works while this one is busy with a file.
  new Worker(process.argv[1] ?? '', { resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 } })
  const handlers = startMain(main, undefined)
  const socket = new Socket({ fd: CHILD_STREAMS.CALLS })
  const end = (): void => process.exit()
  for (const event of ['end', 'close', 'error']) socket.once(event, end)
  const onFrame = ({ bytes, call, name, ...rest }: Readonly<Record<string, unknown>>): void => {
    const message = { call, name, argument: { ...rest, bytes } } as CallMessage
    void answerCall(handlers, message, (answer) =>
      writeFrame(socket, { ...plainAnswer(answer), rss: process.memoryUsage.rss() })
    )
  }
  readFrames(socket, { bytesMax: CALL_BYTES_MAX, onFrame, onBroken: end })
}

/** Ends this process once the server is gone or the resident memory is more than it may be, whatever the main thread does. */
export function watchOver(): void {
  const memoryBytes = Number(process.env[MEMORY_VARIABLE])
  const end = (): void => void process.kill(process.pid, 'SIGKILL')
  const life = new Socket({ fd: CHILD_STREAMS.LIFE })
  for (const event of ['end', 'close', 'error']) life.once(event, end)
  life.resume()
  setInterval(() => {
    if (process.memoryUsage.rss() > memoryBytes) end()
  }, LOOK_EVERY_MS)
}

/** An answer as JSON can hold it: errors are none of its values. */
function plainAnswer(answer: AnswerMessage): Frame {
  if ('fault' in answer) return { ...answer, fault: { ...answer.fault, cause: undefined } }
  if (!('bug' in answer)) return answer
  const { name, message, stack } = answer.bug instanceof Error ? answer.bug : new Error(String(answer.bug))
  return { ...answer, bug: { name, message, stack } satisfies PlainError }
}
