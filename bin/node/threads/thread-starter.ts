import { existsSync } from 'node:fs'
import { totalmem } from 'node:os'
import { type ResourceLimits, Worker, type WorkerOptions } from 'node:worker_threads'
import type { StartThread, Thread, ThreadMain, ThreadProgram } from '../../../src/ports.ts'
import { childThread } from './child-thread.ts'
import { type AnswerMessage, answerCall, createPendingCalls, type PendingCalls, threadGone } from './pending-calls.ts'
import { startMain } from './serve-thread.ts'
import { settleEngine } from './tune-engine.ts'

/** The main functions of the thread programs, loaded if a program cannot have its own thread. */
export type ThreadMains = Readonly<Record<ThreadProgram, () => Promise<ThreadMain>>>

/**
 * Starts threads of this process. Documents are untrusted, so they get child processes with a memory limit. When run
 * from source, the programs are not built, so they run in this thread. A thread that dies (out of memory, or a bug)
 * rejects its pending calls; the next call restarts it without its state.
 */
export function threadStarter(mains: Partial<ThreadMains>): StartThread {
  return (program, data) => {
    const file = programFile(program)
    if (program === 'documents' && existsSync(file)) return childThread(file, { memoryBytes: childMemory() })
    if (existsSync(file)) return workerThread(file, data, LIMITS[program])
    return localThread(async (told) => (await findMain(mains, program))(told), data)
  }
}

async function findMain(mains: Partial<ThreadMains>, program: ThreadProgram): Promise<ThreadMain> {
  const main = await mains[program]?.()
  if (main === undefined) throw new Error(`the program '${program}' is not available here`)
  return main
}

/** Memory limits of threads. A smaller young generation is collected more often. */
const LIMITS: Readonly<Partial<Record<ThreadProgram, ResourceLimits>>> = {
  engine: { maxYoungGenerationSizeMb: 12 },
  storage: { maxYoungGenerationSizeMb: 12 }
}

/** Beside this file in a build. */
function programFile(program: ThreadProgram): URL {
  return new URL(`./${program}-${program === 'documents' ? 'child' : 'thread'}.js`, import.meta.url)
}

/** Creates a thread that runs the file, started at the first call. `data` must be cloneable. */
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
  worker.once('exit', () => pending.rejectAll(threadGone('failed', cause)))
  return worker
}

/**
 * Runs a thread's program in this thread: for tests, and if the program is not built. Messages are cloned and
 * transferred as between threads.
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

/** Maximum memory of a child process, and what it needs to start and read an ordinary file, in bytes. */
const MEMORY = { MAX: 512 * 2 ** 20, MIN: 320 * 2 ** 20 } as const

/** Two children leave the server at least half of the memory of the machine or container. */
const SHARE = 1 / 4

/** Returns the memory limit of a child process, in bytes. */
function childMemory(): number {
  const all = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return Math.min(Math.max(all * SHARE, MEMORY.MIN), MEMORY.MAX)
}
