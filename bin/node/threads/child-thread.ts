import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Fault } from '../../../src/contract/faults.ts'
import type { Thread } from '../../../src/ports.ts'
import { type Frame, type PlainError, readFrames, writeFrame } from './frame.ts'
import { type AnswerMessage, createPendingCalls, type PendingCalls, threadGone } from './pending-calls.ts'

/** Limits of a child process. */
export type ChildLimits = {
  /** Maximum memory in bytes: private writable memory on Linux, resident memory everywhere. */
  memoryBytes: number
}

/** Maximum size of an answer, in bytes. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024

/** Share of the memory for JavaScript objects; buffers and code need the rest. */
const HEAP_SHARE = 0.6

/**
 * Share of the memory that a child may still use after an answer. Above it the child ends, so that the next call has
 * enough.
 */
const LEFT_SHARE = 0.5

/** Descriptors of a child's two streams: one for calls and answers, and one that ends with the server. */
export const CHILD_STREAMS = { CALLS: 3, LIFE: 4 } as const

/** Passes the limit on resident memory to a child, in bytes. */
export const MEMORY_VARIABLE = 'MEMCTL_CHILD_MEMORY'

/**
 * Creates a child process that runs the file, started at the first call. The argument of a call is a JSON object with
 * at most one Uint8Array, its member `bytes`. Calls in progress when the child ends reject with a Fault `unavailable`;
 * the next call starts it again. The child ends with this process, even if this process is killed.
 */
export function childThread(file: URL, limits: ChildLimits): Thread {
  let child: Running | undefined
  let isEnded = false
  const start = (): Running => {
    const started = startChild(fileURLToPath(file), limits)
    const forget = (): void => {
      if (child === started) child = undefined
    }
    void started.gone.then(forget)
    return started
  }
  return {
    async call(name, argument) {
      if (isEnded) throw threadGone('has ended')
      child ??= start()
      const { calls, pending } = child
      return await pending.begin((call) => writeFrame(calls, { ...(argument as Frame), call, name }))
    },
    async end() {
      isEnded = true
      child?.pending.rejectAll(threadGone('has ended'))
      child?.process.kill('SIGKILL')
      await child?.exited
    }
  }
}

/** `gone`: it accepts no further calls. `exited`: the process has ended. */
type Running = {
  process: ChildProcess
  calls: Duplex
  pending: PendingCalls
  gone: Promise<void>
  exited: Promise<void>
}

function startChild(file: string, limits: ChildLimits): Running {
  const [program, ...args] = commandLine(file, limits)
  const child = spawn(program, args, {
    // Its own process group: Ctrl-C in a terminal is for the server, which finishes its requests.
    detached: process.platform !== 'win32',
    env: environment(limits),
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    windowsHide: true
  })
  const calls = child.stdio[CHILD_STREAMS.CALLS] as Duplex
  const life = child.stdio[CHILD_STREAMS.LIFE] as Duplex
  const kill = (): void => void child.kill('SIGKILL')
  // A broken stream means that the child is ending.
  for (const stream of [calls, life]) stream.on('error', kill)
  life.resume()
  const pending = createPendingCalls()
  const exited = new Promise<void>((resolve) => {
    child.once('error', (cause) => {
      pending.rejectAll(notStarted(cause))
      resolve()
    })
    child.once('exit', (code, signal) => {
      const cause = new Error(`a child process ended with ${signal ?? `exit code ${code}`}`)
      pending.rejectAll(threadGone('failed', cause))
      resolve()
    })
  })
  const gone = new Promise<void>((resolve) => {
    void exited.then(resolve)
    const onFrame = ({ rss, ...answer }: Frame): void => {
      const isFull = Number(rss) > limits.memoryBytes * LEFT_SHARE && pending.count() === 1
      if (isFull) {
        resolve()
        kill()
      }
      pending.settle(toAnswer(answer))
    }
    readFrames(calls, { bytesMax: ANSWER_BYTES_MAX, onFrame, onBroken: kill })
  })
  return { process: child, calls, pending, gone, exited }
}

/**
 * Builds the command of a child with its memory limit. Linux counts all private writable memory of a process and
 * refuses what exceeds `RLIMIT_DATA` (setrlimit(2)). If the machine or container runs out of memory, the system should
 * end a child rather than the server (proc_pid_oom_score_adj(5)).
 */
function commandLine(file: string, { memoryBytes }: ChildLimits): [string, ...string[]] {
  const heapMb = Math.floor((memoryBytes * HEAP_SHARE) / 2 ** 20)
  const node = [`--max-old-space-size=${heapMb}`, '--max-semi-space-size=4', '--v8-pool-size=1', file]
  if (process.platform !== 'linux' || !existsSync(SHELL)) return [process.execPath, ...node]
  const limited = `ulimit -c 0; ulimit -d ${Math.floor(memoryBytes / 1024)}; echo 1000 > /proc/self/oom_score_adj; exec "$0" "$@"`
  return [SHELL, '-c', limited, process.execPath, ...node]
}

/** Container images may lack it. Then the child's watcher thread is the only limit. */
const SHELL = '/bin/sh'

/** Variables that a program may need to start. No others are passed on, because they contain secrets. */
const HANDED_ON = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMPDIR', 'TZ']

function notStarted(cause: unknown): Fault {
  const hint = 'allow the server to start more processes: check its limits of processes and memory'
  return new Fault('system_refused', 'a child process could not be started', { cause, hint })
}

/** Converts a frame to an answer, with its error as an Error object. */
function toAnswer({ bug, ...answer }: Frame): AnswerMessage {
  if (bug === undefined) return answer as unknown as AnswerMessage
  const { message, ...rest } = bug as PlainError
  return { ...(answer as unknown as { call: number }), bug: Object.assign(new Error(message), rest) }
}

function environment({ memoryBytes }: ChildLimits): NodeJS.ProcessEnv {
  const handed = HANDED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  // Each thread's stack counts.
  return { ...Object.fromEntries(handed), UV_THREADPOOL_SIZE: '1', [MEMORY_VARIABLE]: String(memoryBytes) }
}
