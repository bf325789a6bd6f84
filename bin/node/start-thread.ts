import { existsSync } from 'node:fs'
import { type ResourceLimits, Worker, type WorkerOptions } from 'node:worker_threads'
import type { StartThread, Thread, ThreadMain, ThreadProgram } from '../../src/ports.ts'
import { localThread } from './local-thread.ts'
import { createPendingCalls, type PendingCalls, threadGone } from './pending-calls.ts'
import type { AnswerMessage } from './thread-message.ts'
import { settleEngine } from './tune-engine.ts'

/** What each program does, loaded where it cannot have a thread of its own. */
export type ThreadMains = Readonly<Record<ThreadProgram, () => Promise<ThreadMain>>>

/**
 * Starts threads of this process. Run from source, where the programs are not built, what they do is done in this thread.
 * A thread that dies (it ran out of memory, or a bug threw) rejects the calls it had; the next call starts it anew, with
 * nothing of what it held.
 */
export function threadStarter(mains: ThreadMains): StartThread {
  return (program, data) => {
    const file = programFile(program)
    if (existsSync(file)) return workerThread(file, data, LIMITS[program])
    return localThread(async (told) => (await mains[program]())(told), data)
  }
}

/**
 * What a thread may take. It ends where it takes more of what lives long, which a file that somebody made decides about; what lives
 * shortly is tidied the more often the less room it has.
 */
const LIMITS: Readonly<Partial<Record<ThreadProgram, ThreadLimits>>> = {
  documents: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 12, growthMb: 1024 },
  engine: { maxYoungGenerationSizeMb: 12 },
  storage: { maxYoungGenerationSizeMb: 12 }
}

/** `growthMb`: by how much the memory of the process may grow during a call; buffers do not count for the other limits. */
export type ThreadLimits = ResourceLimits & { growthMb?: number }

const LOOK_EVERY_MS = 50

/** Beside this file once it is built. */
function programFile(program: ThreadProgram): URL {
  return new URL(`./${program}-thread.js`, import.meta.url)
}

/** The thread whose program is the file; `data` must be what can be cloned. Started with the first call. */
export function workerThread(file: URL, data: unknown, limits?: ThreadLimits): Thread {
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
      const answer = pending.begin((call) => {
        if (isEnded) throw threadGone('has ended')
        worker ??= start()
        worker.postMessage({ call, name, argument }, [...hand])
      })
      if (worker !== undefined && limits?.growthMb !== undefined) watchGrowth(worker, limits.growthMb, answer)
      return answer
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

/** Ends a thread during whose call the process grows too much: a few bytes can unpack to gigabytes of buffers. */
function watchGrowth(worker: Worker, growthMb: number, answer: Promise<unknown>): void {
  const most = rssOfLate() + growthMb * 2 ** 20
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() > most) void worker.terminate()
  }, LOOK_EVERY_MS)
  const stop = () => clearInterval(timer)
  answer.then(stop, stop)
}

/** The memory of the process now or a moment ago: to ask takes longer than many a small file. */
function rssOfLate(): number {
  const now = performance.now()
  if (now - looked.at > LOOK_EVERY_MS) looked = { at: now, rss: process.memoryUsage.rss() }
  return looked.rss
}

let looked = { at: Number.NEGATIVE_INFINITY, rss: 0 }
