/*
 * fflate 0.8 was measured and rejected for reading: it needs 2.5 to 3 times the processor time of zlib; `unzipSync`
 * allocates the size that a member declares and silently truncates a longer one; `Unzip` finds the end of most members
 * by a signature that their data may contain.
 */

import { Buffer } from 'node:buffer'
import { inflateRawSync } from 'node:zlib'
import { unreadableError } from '../port/unreadable-error.ts'

/**
 * Limits of an archive: the number of its members, and of the bytes read from it. Documents have a few dozen members
 * and a few MiB.
 */
const MEMBERS_MAX = 5000
const BYTES_MAX = 100 * 1024 * 1024
const COMMENT_LENGTH_MAX = 65_535
const BROKEN = 'it is not a complete ZIP archive, which files of this type must be'

/** An open archive. */
export type Zip = {
  names: string[]
  /** Reads a member; undefined if no member has that name. All reads count towards one limit. */
  read(name: string): Uint8Array | undefined
}

type Member = { name: string; flags: number; method: number; packed: number; size: number; at: number }

/**
 * Opens an archive by its directory (APPNOTE 6.3.10, sections 4.3.7, 4.3.12, 4.3.16). The size that a member declares is not
 * trusted: it is unpacked only up to the limit.
 *
 * @throws UnreadableError if it is broken, encrypted, or too large.
 */
export function openZip(bytes: Uint8Array): Zip {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const members = new Map(readDirectory(file).map((member) => [member.name, member]))
  const declared = [...members.values()].reduce((sum, { size }) => sum + size, 0)
  if (declared > BYTES_MAX) throw tooLargeError()
  let left = BYTES_MAX
  return {
    names: [...members.keys()],
    read(name) {
      const member = members.get(name)
      if (member === undefined) return undefined
      const content = readContent(file, member, left)
      left -= content.length
      return content
    }
  }
}

function readDirectory(file: Buffer): Member[] {
  const end = findEndRecord(file)
  const count = file.readUInt16LE(end + 10)
  let at = file.readUInt32LE(end + 16)
  if (count > MEMBERS_MAX) throw unreadableError(`it is an archive of more than ${MEMBERS_MAX} members`)
  const members: Member[] = []
  for (let i = 0; i < count; i += 1) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== 0x02014b50) throw unreadableError(BROKEN)
    const [name, extra, comment] = [28, 30, 32].map((place) => file.readUInt16LE(at + place)) as [
      number,
      number,
      number
    ]
    members.push({
      name: file.toString('utf8', at + 46, at + 46 + name),
      flags: file.readUInt16LE(at + 8),
      method: file.readUInt16LE(at + 10),
      packed: file.readUInt32LE(at + 20),
      size: file.readUInt32LE(at + 24),
      at: file.readUInt32LE(at + 42)
    })
    at += 46 + name + extra + comment
  }
  return members
}

/** Finds the record at the end of the directory. */
function findEndRecord(file: Buffer): number {
  const from = Math.max(0, file.length - COMMENT_LENGTH_MAX - 22)
  const end = file.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < from || end + 22 > file.length) throw unreadableError(BROKEN)
  return end
}

function readContent(file: Buffer, { flags, method, packed, at }: Member, most: number): Uint8Array {
  if (flags & 1) throw unreadableError('it is encrypted')
  if (at + 30 > file.length || file.readUInt32LE(at) !== 0x04034b50) throw unreadableError(BROKEN)
  const from = at + 30 + file.readUInt16LE(at + 26) + file.readUInt16LE(at + 28)
  if (from + packed > file.length) throw unreadableError(BROKEN)
  const content = file.subarray(from, from + packed)
  if (method === 0 && packed <= most) return content
  if (method === 0 || most <= 0) throw tooLargeError()
  return method === 8 ? inflate(content, most) : refuseMethod()
}

function inflate(content: Buffer, most: number): Uint8Array {
  try {
    return inflateRawSync(content, { maxOutputLength: most })
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLargeError()
    throw unreadableError(BROKEN, error)
  }
}

function refuseMethod(): never {
  throw unreadableError('it uses an unsupported compression method')
}

function tooLargeError() {
  return unreadableError(`it is larger than ${BYTES_MAX / 2 ** 20} MiB when unpacked`)
}
