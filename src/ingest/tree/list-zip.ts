/*
 * fflate 0.8 was measured and rejected: it needs 2.5 to 3 times the processor time of zlib, and its streaming reader
 * finds the end of most members by a signature that their data may contain. Reading the directory first also gives the
 * members in any order, and shows a zip bomb before anything is unpacked.
 */

import { Buffer } from 'node:buffer'
import { pipeline, Readable } from 'node:stream'
import { createInflateRaw, inflateRawSync } from 'node:zlib'
import { Fault } from '../../contract/faults.ts'
import { TreeError } from '../port/file-tree.ts'
import { type ByteSource, checkUnpackedSize, MEMBERS_MAX, readChunks, sliceSource } from './byte-source.ts'

/** A member of an archive. */
export type ZipMember = {
  path: string
  size: number
  modifiedMs: number | undefined
  /** The bytes in the archive, if the member is not compressed. */
  stored(): ByteSource | undefined
  /** @throws TreeError */
  read(): AsyncIterable<Uint8Array>
}

/** The entry of a member in the directory of an archive. */
type Entry = {
  path: string
  flags: number
  method: number
  packed: number
  size: number
  at: number
  modifiedMs: number | undefined
}

const SIGNATURE = { LOCAL: 0x04034b50, ENTRY: 0x02014b50, END: 0x06054b50, END_64: 0x06064b50, PLACE_64: 0x07064b50 }

/**
 * Lists the members of a ZIP archive by its directory (APPNOTE 6.3.10, sections 4.3.7 to 4.3.16 and 4.5.3). The sizes
 * that it declares are checked while a member is unpacked.
 *
 * @throws Fault `invalid_input` if it is broken, `too_large` if it would unpack to far more than it has.
 */
export function listZip(source: ByteSource): ZipMember[] {
  const entries = readDirectory(source)
  checkUnpackedSize(
    entries.reduce((sum, { size }) => sum + size, 0),
    source.size
  )
  checkOverlaps(entries)
  return entries
    .filter(({ path }) => !path.endsWith('/'))
    .map((entry) => ({
      path: entry.path,
      size: entry.size,
      modifiedMs: entry.modifiedMs,
      stored: () => (entry.method === 0 ? sliceOf(source, entry) : undefined),
      read: () => readMember(source, entry)
    }))
}

function readDirectory(source: ByteSource): Entry[] {
  const { count, at, size } = findDirectory(source)
  if (count > MEMBERS_MAX)
    throw new Fault('too_large', `the archive has ${count} members, more than the limit of ${MEMBERS_MAX}`)
  const bytes = toBuffer(source.read(at, size))
  const entries: Entry[] = []
  for (let place = 0; entries.length < count; ) {
    if (place + 46 > bytes.length || bytes.readUInt32LE(place) !== SIGNATURE.ENTRY) throw brokenFault()
    const end = place + 46 + [28, 30, 32].reduce((sum, field) => sum + bytes.readUInt16LE(place + field), 0)
    entries.push(readEntry(bytes.subarray(place, end)))
    place = end
  }
  return entries
}

function readEntry(bytes: Buffer): Entry {
  const nameEnd = 46 + bytes.readUInt16LE(28)
  const entry = {
    path: decodeName(bytes.subarray(46, nameEnd)),
    flags: bytes.readUInt16LE(8),
    method: bytes.readUInt16LE(10),
    modifiedMs: readDosTime(bytes.readUInt16LE(14), bytes.readUInt16LE(12)),
    packed: bytes.readUInt32LE(20),
    size: bytes.readUInt32LE(24),
    at: bytes.readUInt32LE(42)
  }
  return applyZip64(entry, bytes.subarray(nameEnd, nameEnd + bytes.readUInt16LE(30)))
}

/** Replaces sizes of 0xffffffff by those of the extra field 0x0001, which has only the replaced ones, in this order. */
function applyZip64(entry: Entry, extra: Buffer): Entry {
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === 1) {
      let place = at + 4
      const next = (value: number): number => {
        if (value !== 0xffffffff || place + 8 > Math.min(end, extra.length)) return value
        place += 8
        return Number(extra.readBigUInt64LE(place - 8))
      }
      const size = next(entry.size)
      const packed = next(entry.packed)
      return { ...entry, size, packed, at: next(entry.at) }
    }
    at = end
  }
  return entry
}

function decodeName(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}

/** The time has no zone. It only serves to show how old a file is. */
function readDosTime(date: number, time: number): number | undefined {
  if (date === 0) return undefined
  const year = 1980 + (date >> 9)
  return Date.UTC(year, ((date >> 5) & 15) - 1, date & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2)
}

type Directory = { count: number; at: number; size: number }

const COMMENT_BYTES_MAX = 65_535

function findDirectory(source: ByteSource): Directory {
  const from = Math.max(0, source.size - COMMENT_BYTES_MAX - 22)
  const tail = toBuffer(source.read(from, source.size - from))
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0 || end + 22 > tail.length) throw brokenFault()
  const found = {
    count: tail.readUInt16LE(end + 10),
    size: tail.readUInt32LE(end + 12),
    at: tail.readUInt32LE(end + 16)
  }
  const isLarge = found.count === 0xffff || found.size === 0xffffffff || found.at === 0xffffffff
  const large = isLarge ? findDirectory64(source, from + end) : undefined
  const directory = large ?? found
  if (directory.at + directory.size > source.size) throw brokenFault()
  return directory
}

function findDirectory64(source: ByteSource, end: number): Directory | undefined {
  const place = toBuffer(source.read(Math.max(0, end - 20), 20))
  if (place.length < 20 || place.readUInt32LE(0) !== SIGNATURE.PLACE_64) return undefined
  const record = toBuffer(source.read(Number(place.readBigUInt64LE(8)), 56))
  if (record.length < 56 || record.readUInt32LE(0) !== SIGNATURE.END_64) throw brokenFault()
  const [count, size, at] = [32, 40, 48].map((field) => Number(record.readBigUInt64LE(field)))
  return { count: count ?? 0, size: size ?? 0, at: at ?? 0 }
}

/** Members that share bytes are how a small archive unpacks to petabytes (https://www.bamsoftware.com/hacks/zipbomb/). */
function checkOverlaps(entries: readonly Entry[]): void {
  let end = 0
  for (const { at, packed } of entries.toSorted((one, other) => one.at - other.at)) {
    if (at < end)
      throw new Fault('invalid_input', 'the archive has members that overlap', {
        hint: 'export the archive again, or unpack it yourself if you trust it'
      })
    end = at + packed
  }
}

async function* readMember(source: ByteSource, entry: Entry): AsyncGenerator<Uint8Array> {
  const { method, packed, size, path } = entry
  if ((entry.flags & 1) !== 0) throw new TreeError('encrypted', `${path} is encrypted`)
  if (method !== 0 && method !== 8) throw new TreeError('unsupported', `${path} uses compression method ${method}`)
  const from = findContent(source, entry)
  if (method === 0) return yield* readChunks(source, from, packed)
  if (packed <= SMALL_BYTES && size <= SMALL_BYTES) {
    yield inflateSmall(source.read(from, packed), entry)
    return
  }
  yield* inflateLarge(readChunks(source, from, packed), entry)
}

/** A member up to this size is unpacked at once, which takes less time. */
const SMALL_BYTES = 4 * 1024 * 1024

function sliceOf(source: ByteSource, entry: Entry): ByteSource | undefined {
  if ((entry.flags & 1) !== 0) return undefined
  return sliceSource(source, findContent(source, entry), entry.packed)
}

function findContent(source: ByteSource, { at, packed, path }: Entry): number {
  const header = toBuffer(source.read(at, 30))
  if (header.length < 30 || header.readUInt32LE(0) !== SIGNATURE.LOCAL) throw damagedError(path)
  const from = at + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (from + packed > source.size) throw damagedError(path)
  return from
}

function inflateSmall(content: Uint8Array, { path, size }: Entry): Uint8Array {
  try {
    const bytes = inflateRawSync(content, { maxOutputLength: Math.max(size, 1) })
    if (bytes.length === size) return bytes
  } catch (error) {
    throw damagedError(path, error)
  }
  throw damagedError(path)
}

async function* inflateLarge(chunks: Iterable<Uint8Array>, { path, size }: Entry): AsyncGenerator<Uint8Array> {
  const inflate = createInflateRaw()
  let left = size
  try {
    pipeline(Readable.from(chunks), inflate, () => undefined)
    for await (const chunk of inflate as AsyncIterable<Uint8Array>) {
      left -= chunk.length
      if (left < 0) throw damagedError(path)
      yield chunk
    }
  } catch (error) {
    throw error instanceof TreeError ? error : damagedError(path, error)
  } finally {
    inflate.destroy()
  }
  if (left > 0) throw damagedError(path)
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

function damagedError(path: string, cause?: unknown): TreeError {
  return new TreeError('damaged', `${path} is damaged`, cause)
}

function brokenFault(): Fault {
  return new Fault('invalid_input', 'the ZIP archive is damaged or incomplete', {
    hint: 'download or export it again'
  })
}
