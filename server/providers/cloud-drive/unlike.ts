import { createHash } from 'node:crypto'
import type { DriveFile } from './wire.ts'

/** What shows that bytes are not those of a file, as half a sentence; undefined where they may well be. */
export function unlikeFile(bytes: Uint8Array, { size, sha256Checksum }: DriveFile): string | undefined {
  if (size !== undefined && Number(size) !== bytes.length) return 'of another size than the file'
  if (sha256Checksum === undefined) return undefined
  const isSame = createHash('sha256').update(bytes).digest('hex') === sha256Checksum.toLowerCase()
  return isSame ? undefined : 'of another checksum than the file'
}

/** The same of an export, of which only the type is known. Types that were once provisional are told by both names (RFC 6648). */
export function unlikeExport(headers: Headers, mimeType: string): string | undefined {
  const [said = ''] = (headers.get('content-type') ?? '').toLowerCase().split(';')
  if (said.trim().replace('/x-', '/') === mimeType) return undefined
  return `of the type ${said.replace(/[^\w./+-]/g, '').slice(0, 80) || 'nobody says'}, where ${mimeType} was asked for`
}
