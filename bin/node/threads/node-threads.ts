import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { SurveyTask, Threads } from '../../../src/ports.ts'

/**
 * Worker threads of this process. There are none when it runs from source, because the thread's program is not built.
 */
export const nodeThreads: Threads = {
  get spare() {
    return existsSync(PROGRAM) ? availableParallelism() - 1 : 0
  },
  survey: (task) => runThread(task)
}

/** Beside this file in a build. */
const PROGRAM = new URL('./survey-thread.js', import.meta.url)

/** Resolves with the first message of the thread, which ends by itself. */
async function runThread(task: SurveyTask): Promise<unknown> {
  const { Worker } = await import('node:worker_threads')
  return await new Promise((resolve, reject) => {
    const worker = new Worker(PROGRAM, { workerData: task })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the thread ended without an answer')))
  })
}
