import { fstatSync } from 'node:fs'

/**
 * Asks the system whether a pipe that this process writes to has a reader left, which else only a write tells. Undefined where it
 * is no pipe: of a socket nobody can tell a reader that has gone from one that will never write. Node has no `poll` but that of
 * WASI, which looks at the same descriptor.
 */
export function askForReader(fd: number): (() => boolean) | undefined {
  if (!fstatSync(fd).isFIFO()) return undefined
  const { memory, poll } = pollOf(fd)
  const view = new DataView(memory.buffer)
  view.setBigUint64(PIPE_AT, PIPE, true)
  view.setUint8(PIPE_AT + SUBSCRIPTION.tag, TAG.write)
  view.setUint32(PIPE_AT + SUBSCRIPTION.what, STDOUT, true)
  view.setUint8(CLOCK_AT + SUBSCRIPTION.tag, TAG.clock)
  view.setUint32(CLOCK_AT + SUBSCRIPTION.what, CLOCK_MONOTONIC, true)
  view.setBigUint64(CLOCK_AT + SUBSCRIPTION.timeout, FULL_NS, true)
  return () => {
    if (poll(PIPE_AT, EVENTS_AT, 2, COUNT_AT) !== 0) return true
    const events = Array.from({ length: view.getUint32(COUNT_AT, true) }, (_, n) => EVENTS_AT + n * EVENT_BYTES)
    const told = events.find((at) => view.getBigUint64(at, true) === PIPE)
    if (told === undefined) return true
    const hungUp = (view.getUint16(told + EVENT.flags, true) & HANGUP) !== 0
    return view.getUint16(told + EVENT.error, true) === 0 && !hungUp
  }
}

/** Where what is asked and what is answered lies in the memory, in bytes. */
const PIPE_AT = 0
const CLOCK_AT = 48
const EVENTS_AT = 96
const COUNT_AT = 160
const EVENT_BYTES = 32

/** `subscription` and `event` of WASI preview 1, in bytes from their start. */
const SUBSCRIPTION = { tag: 8, what: 16, timeout: 24 }
const EVENT = { error: 8, flags: 24 }
const TAG = { clock: 0, write: 2 }
const CLOCK_MONOTONIC = 1
const HANGUP = 1

/** By what the answer for the pipe is known; that of the clock has 0. */
const PIPE = 1n

/** The pipe, as the module knows it. */
const STDOUT = 1

/** How long a full pipe is waited for: it has a reader, who is slow. In nanoseconds. */
const FULL_NS = 1_000_000n

type Exports = {
  memory: { buffer: ArrayBuffer }
  poll(asked: number, events: number, count: number, told: number): number
}

function pollOf(fd: number): Exports {
  const { WASI } = quietly(() => process.getBuiltinModule('node:wasi'))
  // All three are the pipe, so that nothing else is touched.
  const wasi = new WASI({ version: 'preview1', stdin: fd, stdout: fd, stderr: fd })
  const module = new WebAssembly.Module(Buffer.from(MODULE, 'base64'))
  const instance = new WebAssembly.Instance(module, wasi.getImportObject())
  wasi.initialize(instance)
  return instance.exports
}

/** Node warns that its WASI may change; that is for whoever writes a program, not for who runs it. */
function quietly<Value>(work: () => Value): Value {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return work()
  } finally {
    process.emitWarning = emitWarning
  }
}

/**
 * (module
 *   (import "wasi_snapshot_preview1" "poll_oneoff" (func (param i32 i32 i32 i32) (result i32)))
 *   (memory (export "memory") 1)
 *   (export "poll" (func 0)))
 */
const MODULE =
  'AGFzbQEAAAABCQFgBH9/f38BfwImARZ3YXNpX3NuYXBzaG90X3ByZXZpZXcxC3BvbGxfb25lb2ZmAAAFAwEAAQcRAgZtZW1vcnkCAARwb2xsAAA='

/** WebAssembly as far as it is used here: its types come with browsers' only. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: Exports }
}
