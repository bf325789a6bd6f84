import { Fault } from '../../contract/faults.ts'
import type { Files, SystemError } from '../../ports.ts'

/**
 * The bytes of a regular file, found through symlinks; undefined where nothing is there. `bytesMax` is checked before
 * anything is read, and a file that grows meanwhile is cut there.
 */
export function readFileBytes(files: Files, path: string, bytesMax: number): Uint8Array | undefined {
  return makeSystemFault(path, () => {
    const facts = files.find(path)
    if (facts === undefined) return undefined
    if (facts.kind !== 'file')
      throw new Fault('invalid_input', `${path} is no regular file`, { hint: 'give a file, or - for stdin' })
    if (facts.size > bytesMax) throw tooLarge(path, bytesMax)
    return readOpen(files, files.realPath(path), facts.size)
  })
}

/** The fault of an input that is over its limit. `bytesMax` is a whole number of MiB. */
export function tooLarge(what: string, bytesMax: number): Fault {
  return new Fault('too_large', `${what} is larger than ${bytesMax / 1024 / 1024} MiB, the most that is read here`)
}

/** The text of bytes that must be UTF-8. Throws a fault naming what it was. A BOM is part of the text. */
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

/** Runs what calls the system, and turns its refusal into a fault that names the path. */
export function makeSystemFault<Value>(path: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw refusalFault(error, path)
  }
}

/** The fault of a refusal by the system, which names the path; anything else stays what it is. */
export function refusalFault(error: unknown, path?: string): unknown {
  if (!isSystemError(error)) return error
  const what = path ?? error.path ?? error.syscall ?? 'a call'
  return new Fault('system_refused', `${what}: the system refused (${error.code})`, {
    hint: MENDED_BY[error.code],
    cause: error
  })
}

/** What mends the refusals that are met most. */
const MENDED_BY: Readonly<Record<string, string>> = {
  ENOSPC: 'free some space on that disk, and run the command again',
  EROFS: 'that disk takes no changes: name a place on another one',
  EACCES: 'look at the permissions of the file and of the folders above it',
  EPERM: 'look at the permissions of the file and of the folders above it'
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
