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
  /** What it may take of memory, in bytes: its private writable memory on Linux, its resident memory everywhere. */
  memoryBytes: number
}

/** The largest answer, in bytes. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024

/** The part of its memory that a child may fill with JavaScript objects; buffers and code need the rest. */
const HEAP_SHARE = 0.6

/** The part of its memory that a child may have left when it has answered. With more it ends, so that no later call lacks it. */
const LEFT_SHARE = 0.5

/** Where the two streams of a child are: calls and answers, and one that ends when the server is gone. */
export const CHILD_STREAMS = { CALLS: 3, LIFE: 4 } as const

/** Tells a child how much resident memory it may take, in bytes. */
export const MEMORY_VARIABLE = 'MEMCTL_CHILD_MEMORY'

/**
 * A child process whose program is the file, started with the first call. The argument of a call is an object of what JSON can hold,
 * with at most one Uint8Array, which is its member `bytes`. Calls that are under way when it ends reject with a Fault `unavailable`;
 * the next one starts it again. The child ends with this process, even if that is killed.
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

/** `gone`: it takes no further calls; `exited`: nothing of it is left. */
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
    // A group of its own: Ctrl-C in a terminal is for the server, which finishes what is under way.
    detached: process.platform !== 'win32',
    env: environment(limits),
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    windowsHide: true
  })
  const calls = child.stdio[CHILD_STREAMS.CALLS] as Duplex
  const life = child.stdio[CHILD_STREAMS.LIFE] as Duplex
  const kill = (): void => void child.kill('SIGKILL')
  // A stream that breaks is a child that ends.
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
      pending.rejectAll(threadGone('broke down', cause))
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
 * Linux counts all private writable memory of a process and refuses what exceeds `RLIMIT_DATA` (setrlimit(2)). Where the whole
 * machine or container runs out of memory, the system is to end a child and not the server (proc_pid_oom_score_adj(5)).
 */
function commandLine(file: string, { memoryBytes }: ChildLimits): [string, ...string[]] {
  const heapMb = Math.floor((memoryBytes * HEAP_SHARE) / 2 ** 20)
  const node = [`--max-old-space-size=${heapMb}`, '--max-semi-space-size=4', '--v8-pool-size=1', file]
  if (process.platform !== 'linux' || !existsSync(SHELL)) return [process.execPath, ...node]
  const limited = `ulimit -c 0; ulimit -d ${Math.floor(memoryBytes / 1024)}; echo 1000 > /proc/self/oom_score_adj; exec "$0" "$@"`
  return [SHELL, '-c', limited, process.execPath, ...node]
}

/** Images of containers may lack it; the watching thread of the child is the only limit then. */
const SHELL = '/bin/sh'

/** Variables that a program may need to be started at all. No other is handed on: they hold secrets. */
const HANDED_ON = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMPDIR', 'TZ']

function notStarted(cause: unknown): Fault {
  const hint = 'the server needs room for another process: check its limits of processes and memory'
  return new Fault('system_refused', 'a child process could not be started', { cause, hint })
}

/** An answer with its error, if it has one, as an error again. */
function toAnswer({ bug, ...answer }: Frame): AnswerMessage {
  if (bug === undefined) return answer as unknown as AnswerMessage
  const { message, ...rest } = bug as PlainError
  return { ...(answer as unknown as { call: number }), bug: Object.assign(new Error(message), rest) }
}

function environment({ memoryBytes }: ChildLimits): NodeJS.ProcessEnv {
  const handed = HANDED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  // Each thread counts with its stack.
  return { ...Object.fromEntries(handed), UV_THREADPOOL_SIZE: '1', [MEMORY_VARIABLE]: String(memoryBytes) }
}
