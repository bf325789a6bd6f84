import { Buffer } from 'node:buffer'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Fault } from '../../contract/faults.ts'
import { TreeError, type TreeLoss } from '../port/file-tree.ts'
import type { LossReason } from '../port/losses.ts'
import { type ByteSource, checkUnpackedSize, MEMBERS_MAX, readChunks } from './byte-source.ts'

/** A file of an archive. Its content is a part of the source. */
export type TarMember = { path: string; size: number; modifiedMs: number | undefined; at: number }

/** Bytes of a header, to a multiple of which each content is filled up. */
const BLOCK = 512

/**
 * Lists the files of a tar archive (POSIX pax, ustar and GNU). Links and devices are losses.
 *
 * @throws Fault `invalid_input` if it is broken.
 */
export function listTar(source: ByteSource): { members: TarMember[]; losses: TreeLoss[] } {
  const members: TarMember[] = []
  const losses: TreeLoss[] = []
  let named: { path?: string; size?: number } = {}
  for (let at = 0; at + BLOCK <= source.size; ) {
    const header = readHeader(source, at)
    if (header === undefined) break
    const size = named.size ?? header.size
    const path = named.path ?? header.path
    at += BLOCK
    if (at + size > source.size) throw brokenFault()
    if (EXTENSIONS.has(header.type)) named = { ...named, ...readExtension(source, header.type, { at, size }) }
    else {
      named = {}
      const reason = LOST_TYPES.get(header.type)
      if (reason !== undefined) losses.push({ path, kind: 'file', reason })
      else if (FILES.has(header.type) && !path.endsWith('/'))
        members.push({ path, size, modifiedMs: header.modifiedMs, at })
    }
    at += Math.ceil(size / BLOCK) * BLOCK
    if (members.length > MEMBERS_MAX) throw new Fault('too_large', `the archive has more than ${MEMBERS_MAX} members`)
  }
  return { members, losses }
}

/** Types of headers that describe the next one: pax, and long names of GNU. */
const EXTENSIONS = new Set(['x', 'g', 'L', 'K'])

const FILES = new Set(['0', '\0', '7'])

const LOST_TYPES = new Map<string, LossReason>([
  ['1', 'link'],
  ['2', 'link'],
  ['3', 'special_file'],
  ['4', 'special_file'],
  ['6', 'special_file']
])

type Header = { path: string; size: number; type: string; modifiedMs: number | undefined }

/** Reads the header at a place; undefined at the end of the archive. */
function readHeader(source: ByteSource, at: number): Header | undefined {
  const bytes = Buffer.from(source.read(at, BLOCK))
  if (bytes.every((byte) => byte === 0)) return undefined
  const sum = bytes.reduce((total, byte, place) => total + (place >= 148 && place < 156 ? 0x20 : byte), 0)
  if (readNumber(bytes.subarray(148, 156)) !== sum) throw brokenFault()
  const isUstar = bytes.toString('latin1', 257, 262) === 'ustar'
  const prefix = isUstar ? readText(bytes.subarray(345, 500)) : ''
  const name = readText(bytes.subarray(0, 100))
  const seconds = readNumber(bytes.subarray(136, 148))
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    size: readNumber(bytes.subarray(124, 136)),
    type: String.fromCharCode(bytes[156] ?? 0),
    modifiedMs: seconds > 0 ? seconds * 1000 : undefined
  }
}

function readText(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end)
}

/** Reads an octal number, or one in base 256, which is marked by the highest bit. */
function readNumber(bytes: Buffer): number {
  if (((bytes[0] ?? 0) & 0x80) !== 0) {
    const value = bytes.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0)
    if (!Number.isSafeInteger(value)) throw brokenFault()
    return value
  }
  return Number.parseInt(readText(bytes).trim() || '0', 8)
}

/** The longest description of a member, in bytes. */
const EXTENSION_BYTES_MAX = 1024 * 1024

function readExtension(source: ByteSource, type: string, { at, size }: { at: number; size: number }) {
  if (size > EXTENSION_BYTES_MAX) throw brokenFault()
  const bytes = Buffer.from(source.read(at, size))
  if (type === 'L') return { path: readText(bytes) }
  if (type !== 'x') return {}
  const fields = new Map(
    [...bytes.toString('utf8').matchAll(/\d+ ([^=\n]+)=([^\n]*)\n/g)].map(([, key = '', value = '']) => [key, value])
  )
  const path = fields.get('path')
  const long = Number(fields.get('size'))
  return {
    ...(path !== undefined && { path }),
    ...(fields.has('size') && Number.isSafeInteger(long) && { size: long })
  }
}

/**
 * Unpacks a gzip stream.
 *
 * @throws Fault `too_large` once it has unpacked to far more than the file has, `invalid_input` if it is damaged.
 */
export async function* gunzip(source: ByteSource): AsyncGenerator<Uint8Array> {
  const unpack = createGunzip()
  let size = 0
  try {
    pipeline(Readable.from(readChunks(source, 0, source.size)), unpack, () => undefined)
    for await (const chunk of unpack as AsyncIterable<Uint8Array>) {
      size += chunk.length
      checkUnpackedSize(size, source.size)
      yield chunk
    }
  } catch (error) {
    if (error instanceof Fault || error instanceof TreeError) throw error
    throw new Fault('invalid_input', 'the gzip file is damaged or incomplete', {
      hint: 'download or export it again',
      cause: error
    })
  } finally {
    unpack.destroy()
  }
}

function brokenFault(): Fault {
  return new Fault('invalid_input', 'the tar archive is damaged or incomplete', { hint: 'download or export it again' })
}
