import { Fault } from '../contract/faults.ts'
import { unlessAborted } from '../contract/unless-aborted.ts'
import { LINE_BYTES_MAX } from '../snapshot/file/limits.ts'
import { createBytesSource, type Source } from '../snapshot/file/source.ts'
import { type Line, type LinePlace, walkLines } from '../snapshot/file/walk-lines.ts'
import { describeJsonFault, parseJson } from '../snapshot/json/json.ts'
import type { BatchStream } from './device.ts'
import { type ValidInput, validateFields } from './validate-store-input.ts'

/** A validated batch line that is not blank. `number` counts all lines, from 1. */
export type BatchLine = {
  tested: ValidInput
  number: number
  bytes: number
  /** Number of bytes of the batch up to the end of this line. */
  bytesRead: number
}

/**
 * Yields the lines of a batch file, a few at a time.
 * @throws Fault `malformed_json`, `invalid_input` or `too_large` that names the line.
 */
export function* readFileBatch(source: Source): Generator<BatchLine[]> {
  let from: LinePlace | undefined = { offset: 0, number: 1 }
  while (from !== undefined) {
    const lines: BatchLine[] = []
    const start: number = from.offset
    let next: LinePlace | undefined
    walkLines(source, from, (line) => {
      const end = line.offset + line.length
      const tested = validateLine(line)
      if (tested !== undefined) lines.push({ tested, number: line.number, bytes: line.length, bytesRead: end })
      if (end - start < PART_BYTES || !line.terminated) return true
      next = { offset: end, number: line.number + 1 }
      return false
    })
    yield lines
    from = next
  }
}

/** Yields the lines of a batch stream as soon as they arrive. */
export async function* readStreamBatch(stream: BatchStream): AsyncGenerator<BatchLine[]> {
  const waiting = createByteQueue()
  const chunks = createChunkBytes()
  let place: LinePlace = { offset: 0, number: 1 }
  for await (const chunk of stream) {
    const part = chunks.take(chunk)
    const end = part.lastIndexOf(LF) + 1
    waiting.add(part.subarray(0, end))
    if (end > 0) {
      const bytes = waiting.takeAll()
      const split = splitLines(bytes, place)
      yield split.lines
      if (split.fault !== undefined) throw split.fault
      place = { offset: place.offset + bytes.length, number: split.nextNumber }
    }
    waiting.add(part.subarray(end))
    if (waiting.size > LINE_BYTES_MAX) throw createTooLargeFault(place.number)
  }
  chunks.end()
  const { lines, fault } = splitLines(waiting.takeAll(), place)
  yield lines
  if (fault !== undefined) throw fault
}

type ByteQueue = {
  readonly size: number
  add(bytes: Uint8Array): void
  /** Removes and returns all bytes, which are valid until more are added. */
  takeAll(): Buffer
}

/**
 * Creates a queue that grows by doubling, so that a long line that arrives in small parts is not copied for each of
 * them.
 */
function createByteQueue(): ByteQueue {
  let buffer = Buffer.allocUnsafe(QUEUE_BYTES_MIN)
  let size = 0
  return {
    get size() {
      return size
    },
    add(bytes) {
      if (size + bytes.length > buffer.length) {
        const grown = Buffer.allocUnsafe(Math.max(buffer.length * 2, size + bytes.length))
        buffer.copy(grown, 0, 0, size)
        buffer = grown
      }
      buffer.set(bytes, size)
      size += bytes.length
    },
    takeAll() {
      const all = buffer.subarray(0, size)
      size = 0
      return all
    }
  }
}

const QUEUE_BYTES_MIN = 64 * 1024

type Split = { lines: BatchLine[]; nextNumber: number; fault: unknown }

/**
 * Splits lines up to the first invalid one. In a stream, the lines before it are stored before the error is reported.
 */
function splitLines(bytes: Buffer, place: LinePlace): Split {
  const lines: BatchLine[] = []
  let number = place.number
  try {
    walkLines(createBytesSource(bytes, 'the batch'), { offset: 0, number }, (line) => {
      const tested = validateLine(line)
      number = line.number + 1
      const bytes = line.length
      const bytesRead = place.offset + line.offset + bytes
      if (tested !== undefined) lines.push({ tested, number: line.number, bytes, bytesRead })
      return true
    })
  } catch (fault) {
    return { lines, nextNumber: number, fault }
  }
  return { lines, nextNumber: number, fault: undefined }
}

/** Number of bytes of a file that are split into lines at a time. */
const PART_BYTES = 1024 * 1024

const LF = 0x0a

function validateLine(line: Line): ValidInput | undefined {
  if (line.tooLong || line.length > LINE_BYTES_MAX) throw createTooLargeFault(line.number)
  const hasMark =
    line.number === 1 && line.bytes.toString('latin1', line.start, line.start + 3) === '\u00ef\u00bb\u00bf'
  const bytes = line.bytes.subarray(line.start + (hasMark ? 3 : 0), line.end)
  if (isBlank(bytes)) return undefined
  const parsed = parseJson(bytes)
  if ('fault' in parsed)
    throw new Fault('malformed_json', `line ${line.number} of the batch ${describeJsonFault(parsed.fault)}`, {
      hint: HINT
    })
  const { value } = parsed
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const tested = isObject ? validateFields(value, 'raw_text') : 'not an object'
  if (typeof tested !== 'string') return tested
  throw new Fault('invalid_input', `line ${line.number} of the batch: ${tested}`, { hint: HINT })
}

const HINT = 'fix the line and run the same command again; lines that are already stored are skipped'

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false
  return true
}

function createTooLargeFault(number: number): Fault {
  return new Fault('too_large', `line ${number} of the batch is longer than ${LINE_BYTES_MAX} bytes`, {
    hint: 'split its text into several memories'
  })
}

/** Converts the chunks of a stream to bytes. */
type ChunkBytes = {
  /** @throws Fault `invalid_input` for a chunk that is neither bytes nor a string that UTF-8 can represent. */
  take(chunk: unknown): Uint8Array
  /** Marks the end of the stream. @throws Fault `invalid_input` if it ends within a character. */
  end(): void
}

/**
 * Creates a converter that passes bytes through and encodes strings as UTF-8. A character may be split between two
 * strings.
 */
function createChunkBytes(): ChunkBytes {
  /** The first half of a surrogate pair whose second half begins the next string. */
  let half = ''
  return {
    take(chunk) {
      if (chunk instanceof Uint8Array && half === '') return chunk
      if (typeof chunk !== 'string') throw half === '' ? createNoChunkFault() : createLoneSurrogateFault()
      const text = half + chunk
      const end = text.length - (/[\ud800-\udbff]$/.test(text) ? 1 : 0)
      half = text.slice(end)
      const whole = text.slice(0, end)
      if (!whole.isWellFormed()) throw createLoneSurrogateFault()
      return Buffer.from(whole)
    },
    end() {
      if (half !== '') throw createLoneSurrogateFault()
    }
  }
}

function createNoChunkFault(): Fault {
  return new Fault('invalid_input', 'invalid batch stream: expected chunks of bytes or strings', {
    hint: 'write a batch as JSON, one object per line: JSON.stringify and a line feed for each'
  })
}

function createLoneSurrogateFault(): Fault {
  return new Fault('invalid_input', 'the batch stream contains a lone surrogate, which UTF-8 cannot represent', {
    hint: 'split the stream between characters, or pass bytes'
  })
}

/**
 * Yields the same stream, but rejects with the signal's reason as soon as it is aborted, even while waiting for a
 * chunk.
 */
export async function* stopOnAbort<T>(stream: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  if (signal === undefined) return yield* stream
  const iterator = stream[Symbol.asyncIterator]()
  let isDone = false
  try {
    for (;;) {
      const next = await unlessAborted(iterator.next(), signal)
      isDone = next.done === true
      if (next.done) return
      yield next.value
    }
  } finally {
    // Not awaited, because it resolves only after the pending chunk, which may never arrive.
    if (!isDone) iterator.return?.().catch(() => undefined)
  }
}
