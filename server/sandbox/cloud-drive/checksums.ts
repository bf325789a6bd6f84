import { createHash } from 'node:crypto'
import type { DriveNode } from './content.ts'
import { repeatedPieces } from './repeated-bytes.ts'

/** Files that are larger have none: their bytes are made while they are read, and to make them for this alone takes too long. */
const CHECKED_BYTES_MAX = 64 * 1024 * 1024

type Checksums = { md5Checksum: string; sha256Checksum: string }

/** By the bytes, which are replaced as a whole where a file changes: each listing tells of them again. */
const made = new WeakMap<Uint8Array, Checksums & { size: number | undefined }>()

/** Of what a download of a file gives. */
export function checksumsOf({ bytes, size }: Pick<DriveNode, 'bytes' | 'size'>): Partial<Checksums> {
  if ((size ?? 0) > CHECKED_BYTES_MAX) return {}
  const known = made.get(bytes)
  const found = known !== undefined && known.size === size ? known : { size, ...hashed(bytes, size) }
  made.set(bytes, found)
  const { md5Checksum, sha256Checksum } = found
  return { md5Checksum, sha256Checksum }
}

function hashed(bytes: Uint8Array, size: number | undefined): Checksums {
  const [md5, sha256] = [createHash('md5'), createHash('sha256')]
  for (const piece of size === undefined ? [bytes] : repeatedPieces(bytes, size)) {
    md5.update(piece)
    sha256.update(piece)
  }
  return { md5Checksum: md5.digest('hex'), sha256Checksum: sha256.digest('hex') }
}
