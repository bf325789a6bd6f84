import { Buffer } from 'node:buffer'
import { constants, inflateSync } from 'node:zlib'
import { unreadable } from '../unreadable.ts'

/** Unpacked bytes of one stream, and of all streams of a file. Pages have some 100 KiB; maps and drawings a few MiB. */
const STREAM_BYTES_MAX = 48 * 1024 * 1024
const BYTES_MAX = 512 * 1024 * 1024

/** Filters of one stream that are applied one after the other. */
const FILTERS_MAX = 8

/** Where the dictionary of a stream is looked for, in bytes before it. */
const DICTIONARY_BYTES = 4096

/**
 * Unpacks every stream of a PDF file that is packed by Flate (ISO 32000-1, 7.3.8 and 7.4.4), as often as it is, and keeps nothing. A
 * thousandth of what a stream unpacks to is enough to hold it, and a millionth where it is packed twice. Pictures are passed over: they
 * are not read. Other filters and encrypted files are left to the limit of memory.
 *
 * @throws ProviderFailure `item_permanent` where a stream or all of them are larger than any document's.
 */
export function checkStreams(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let left = BYTES_MAX
  for (const stream of packedStreams(file)) left -= unpackedSize(stream, left)
}

/** What stands between `stream` and `endstream` and begins as Flate does. */
function* packedStreams(file: Buffer): Generator<Buffer> {
  for (let at = file.indexOf('stream'); at !== -1; at = file.indexOf('stream', at)) {
    const from = startOfData(file, at + 'stream'.length)
    const end = file.indexOf('endstream', from)
    const to = end === -1 ? file.length : end
    const data = file.subarray(from, to)
    if (isFlate(data) && !isPicture(file, at)) yield data
    at = to + 'endstream'.length
  }
}

function startOfData(file: Buffer, at: number): number {
  if (file[at] === CR) return file[at + 1] === LF ? at + 2 : at + 1
  return file[at] === LF ? at + 1 : at
}

const LF = 0x0a
const CR = 0x0d

function isPicture(file: Buffer, at: number): boolean {
  const before = file.toString('latin1', Math.max(0, at - DICTIONARY_BYTES), at)
  return /\/Subtype\s*\/Image\b/.test(before.slice(before.lastIndexOf('obj')))
}

/** Unpacked bytes of all levels together. What is broken ends where it breaks. */
function unpackedSize(packed: Buffer, left: number): number {
  let size = 0
  let data = packed
  for (let level = 0; isFlate(data); level++) {
    if (level === FILTERS_MAX) throw unreadable('a part of it is packed more often than documents are')
    const unpacked = inflated(data, Math.min(STREAM_BYTES_MAX, left - size))
    if (unpacked === undefined) return size
    size += unpacked.length
    data = unpacked
  }
  return size
}

/** The head of RFC 1950: method 8, and a number that 31 divides. */
function isFlate(data: Buffer): boolean {
  const [method = 0, flags = 0] = data
  return data.length > 2 && (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0
}

function inflated(data: Buffer, most: number): Buffer | undefined {
  if (most <= 0) throw tooLarge(BYTES_MAX)
  try {
    return inflateSync(data, { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_BUFFER_TOO_LARGE') return undefined
    throw tooLarge(most === STREAM_BYTES_MAX ? STREAM_BYTES_MAX : BYTES_MAX)
  }
}

function tooLarge(most: number) {
  const what = most === STREAM_BYTES_MAX ? 'a part of it' : 'it'
  return unreadable(`unpacked, ${what} is larger than ${most / 2 ** 20} MiB`)
}
