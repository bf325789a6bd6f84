import { Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import type { ThreadMain } from '../../../src/ports.ts'
import { CHILD_STREAMS, MEMORY_VARIABLE } from './child-thread.ts'
import { type Frame, type PlainError, readFrames, writeFrame } from './frame.ts'
import { type AnswerMessage, answerCall, type CallMessage } from './pending-calls.ts'
import { startMain } from './serve-thread.ts'

/** Maximum size of a call in bytes: that of the largest file that is read. */
const CALL_BYTES_MAX = 64 * 1024 * 1024

/** Interval of memory checks, in milliseconds. */
const LOOK_EVERY_MS = 50

/** Signals that a terminal or service manager sends to the whole group. The server decides when a child ends. */
const SERVERS_OWN = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Serves `childThread` in a child process. Answers its calls until the server ends it or has ended. */
export function serveChild(main: ThreadMain): void {
  for (const signal of SERVERS_OWN) process.on(signal, () => undefined)
  // A separate thread, which runs while this one is busy with a file.
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

/**
 * Ends this process once the server has ended or the resident memory exceeds its limit, even if the main thread is
 * busy.
 */
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

/** Converts an answer to JSON values, which exclude errors. */
function plainAnswer(answer: AnswerMessage): Frame {
  if ('fault' in answer) return { ...answer, fault: { ...answer.fault, cause: undefined } }
  if (!('bug' in answer)) return answer
  const { name, message, stack } = answer.bug instanceof Error ? answer.bug : new Error(String(answer.bug))
  return { ...answer, bug: { name, message, stack } satisfies PlainError }
}
