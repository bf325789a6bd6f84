import { existsSync } from 'node:fs'
import { type ResourceLimits, Worker, type WorkerOptions } from 'node:worker_threads'
import type { StartThread, Thread, ThreadMain, ThreadProgram } from '../../src/ports.ts'
import { childMemory } from './child-memory.ts'
import { localThread } from './local-thread.ts'
import { createPendingCalls, type PendingCalls, threadGone } from './pending-calls.ts'
import { childThread } from './start-child.ts'
import type { AnswerMessage } from './thread-message.ts'
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
