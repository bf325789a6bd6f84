import { Fault } from '../../contract/faults.ts'
import type { Files, SystemError } from '../../ports.ts'

/**
 * Reads a regular file and follows symbolic links. Returns undefined if it does not exist. Checks `bytesMax` before it
 * reads, and reads no more bytes than the file had at that time.
 */
export function readFileBytes(files: Files, path: string, bytesMax: number): Uint8Array | undefined {
  return makeSystemFault(path, () => {
    const facts = files.find(path)
    if (facts === undefined) return undefined
    if (facts.kind !== 'file')
      throw new Fault('invalid_input', `${path} is not a regular file`, { hint: 'give a file, or - for stdin' })
    if (facts.size > bytesMax) throw tooLarge(path, bytesMax)
    return readOpen(files, files.realPath(path), facts.size)
  })
}

/** Returns the fault of an input that exceeds its limit. `bytesMax` is a whole number of MiB. */
export function tooLarge(what: string, bytesMax: number): Fault {
  return new Fault('too_large', `${what} exceeds the limit of ${bytesMax / 1024 / 1024} MiB`)
}

/** Decodes UTF-8, keeping a BOM. Throws a fault that names the input if the bytes are invalid. */
export function utf8Text(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new Fault('invalid_input', `${what} is not UTF-8 text`, {
      hint: 'convert it first, for example with iconv',
      cause
    })
  }
}

/** Runs a function that makes system calls, and turns a refusal into a fault that names the path. */
export function makeSystemFault<Value>(path: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw refusalFault(error, path)
  }
}

/** Returns the fault of a refused system call, which names the path. Returns other errors unchanged. */
export function refusalFault(error: unknown, path?: string): unknown {
  if (!isSystemError(error)) return error
  const what = path ?? error.path ?? error.syscall ?? 'a call'
  return new Fault('system_refused', `${what}: system error ${error.code}`, {
    hint: HINTS[error.code],
    cause: error
  })
}

/** Hints for the most frequent refusals. */
const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'free space on the disk, and run the command again',
  EROFS: 'the disk is read-only: choose a path on another disk',
  EACCES: 'check the permissions of the file and its parent folders',
  EPERM: 'check the permissions of the file and its parent folders'
}

function readOpen(files: Files, path: string, size: number): Uint8Array {
  const fd = files.open(path, 'read')
  try {
    const bytes = new Uint8Array(size)
    let have = 0
    while (have < size) {
      const count = files.read(fd, bytes.subarray(have), have)
      if (count === 0) break
      have += count
    }
    return bytes.subarray(0, have)
  } finally {
    files.close(fd)
  }
}

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error
}
