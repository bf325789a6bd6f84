import { FAULTS, Fault, type FaultCode } from '../../../contract/faults.ts'
import type { Files } from '../../../ports.ts'

/** A log file, and the offset of the first byte to read. */
export type LogPlace = { path: string; from: number }

/** Size of one read in bytes. */
const PIECE_BYTES = 1 << 16

/** Maximum length of a log line that is searched, in bytes. */
const LINE_BYTES_MAX = 1 << 20

/**
 * Returns the last complete lines, at most `count`. Memory use depends on their length, not on the size of the file.
 */
export function readLastLines(files: Files, { path, from }: LogPlace, count: number): string[] {
  const { bytes } = readTail(files, { path, from }, count)
  const lines = bytes.toString('utf8').split('\n')
  lines.pop()
  return count === 0 ? [] : lines.slice(-count)
}

/** Returns the end of a file with at least `count` line ends, if it has that many, and the size of the file. */
export function readTail(files: Files, { path, from }: LogPlace, count: number): { bytes: Buffer; end: number } {
  const fd = files.open(files.realPath(path), 'read')
  try {
    const end = files.facts(fd).size
    const pieces: Buffer[] = []
    let lines = 0
    for (let start = end; start > from && lines <= count && end - start < count * LINE_BYTES_MAX; ) {
      const size = Math.min(PIECE_BYTES, start - from)
      const piece = Buffer.alloc(size)
      start -= size
      files.read(fd, piece, start)
      lines += piece.reduce((sum, byte) => sum + (byte === LF ? 1 : 0), 0)
      pieces.unshift(piece)
    }
    return { bytes: Buffer.concat(pieces), end }
  } finally {
    files.close(fd)
  }
}

const LF = 0x0a

/** Returns the bytes from offset `from` on, at most `PIECE_BYTES`. */
export function nextBytes(files: Files, { path, from }: LogPlace): Buffer {
  const fd = files.open(files.realPath(path), 'read')
  try {
    const piece = Buffer.alloc(PIECE_BYTES)
    return piece.subarray(0, files.read(fd, piece, from))
  } finally {
    files.close(fd)
  }
}

/** Returns the error that a server logged in its last lines, as a fault. */
export function failureIn(files: Files, place: LogPlace): Fault | undefined {
  if (files.find(place.path) === undefined) return undefined
  for (const line of readLastLines(files, place, 20).reverse()) {
    const { error } = parseLine(line)
    if (typeof error?.message === 'string' && isCode(error.code)) {
      const hint = typeof error.hint === 'string' ? error.hint : undefined
      const next = Array.isArray(error.next) ? error.next.filter((command) => typeof command === 'string') : []
      return new Fault(error.code, error.message, { hint, next })
    }
  }
  return undefined
}

function isCode(code: unknown): code is FaultCode {
  return typeof code === 'string' && Object.hasOwn(FAULTS, code)
}

function parseLine(line: string): { error?: Record<string, unknown> } {
  try {
    const value = JSON.parse(line)
    return typeof value?.error === 'object' && value.error !== null ? { error: value.error } : {}
  } catch {
    return {}
  }
}
