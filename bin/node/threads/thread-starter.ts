import { existsSync } from 'node:fs'
import { totalmem } from 'node:os'
import { type ResourceLimits, Worker, type WorkerOptions } from 'node:worker_threads'
import type { StartThread, Thread, ThreadMain, ThreadProgram } from '../../../src/ports.ts'
import { childThread } from './child-thread.ts'
import { type AnswerMessage, answerCall, createPendingCalls, type PendingCalls, threadGone } from './pending-calls.ts'
import { startMain } from './serve-thread.ts'
import { settleEngine } from './tune-engine.ts'

/** What each program does, loaded where it cannot have a thread of its own. */
export type ThreadMains = Readonly<Record<ThreadProgram, () => Promise<ThreadMain>>>

/**
 * Starts threads of this process, and for documents, which strangers wrote, child processes whose memory is limited. Run from source, where the programs are not built, what they do is done in this thread.
 * A thread that dies (it ran out of memory, or a bug threw) rejects the calls it had; the next call starts it anew, with
 * nothing of what it held.
 */
export function threadStarter(mains: ThreadMains): StartThread {
  return (program, data) => {
    const file = programFile(program)
    if (program === 'documents' && existsSync(file)) return childThread(file, { memoryBytes: childMemory() })
    if (existsSync(file)) return workerThread(file, data, LIMITS[program])
    return localThread(async (told) => (await mains[program]())(told), data)
  }
}

/** What a thread may take: what lives shortly is tidied the more often the less room it has. */
const LIMITS: Readonly<Partial<Record<ThreadProgram, ResourceLimits>>> = {
  engine: { maxYoungGenerationSizeMb: 12 },
  storage: { maxYoungGenerationSizeMb: 12 }
}

/** Beside this file once it is built. */
function programFile(program: ThreadProgram): URL {
  return new URL(`./${program}-${program === 'documents' ? 'child' : 'thread'}.js`, import.meta.url)
}

/** The thread whose program is the file; `data` must be what can be cloned. Started with the first call. */
export function workerThread(file: URL, data: unknown, limits?: ResourceLimits): Thread {
  const pending = createPendingCalls()
  let worker: Worker | undefined
  let isEnded = false
  const start = (): Worker => {
    const started = startWorker(file, pending, { workerData: data, ...(limits && { resourceLimits: limits }) })
    if (limits !== undefined) started.once('online', settleEngine)
    started.once('exit', () => {
      if (worker === started) worker = undefined
    })
    return started
  }
  return {
    call(name, argument, hand = []) {
      return pending.begin((call) => {
        if (isEnded) throw threadGone('has ended')
        worker ??= start()
        worker.postMessage({ call, name, argument }, [...hand])
      })
    },
    async end() {
      isEnded = true
      await worker?.terminate()
      pending.rejectAll(threadGone('has ended'))
    }
  }
}

function startWorker(file: URL, pending: PendingCalls, options: WorkerOptions): Worker {
  const worker = new Worker(file, options)
  let cause: unknown
  worker.on('message', (answer: AnswerMessage) => pending.settle(answer))
  worker.on('error', (error) => {
    cause = error
  })
  worker.once('exit', () => pending.rejectAll(threadGone('broke down', cause)))
  return worker
}

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

/** What a child process may take where memory is plenty, and what it needs to start and to read an ordinary file, in bytes. */
const MEMORY = { MAX: 512 * 2 ** 20, MIN: 320 * 2 ** 20 } as const

/** Of what the machine or its container has, two children are to leave the server at least half. */
const SHARE = 1 / 4

/** How much memory a child process may take, in bytes. */
function childMemory(): number {
  const all = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return Math.min(Math.max(all * SHARE, MEMORY.MIN), MEMORY.MAX)
}
