import { createHash } from 'node:crypto'
import type { SeenItem } from '../provider.ts'
import { wayOf } from './file-types.ts'
import type { DriveFile } from './wire.ts'

/** A file as a page tells of it. */
export function seenFile(file: DriveFile, place: string): SeenItem {
  const way = wayOf(file)
  const seen = { id: file.id, version: versionOf(file), place, title: file.name }
  return way.by === 'nothing' ? { ...seen, skipped: way.why } : seen
}

/**
 * Differs where text or title may. Of files with bytes, their checksum says so, and their revision where there is none.
 * Native documents have neither: their `version` grows with each change, also of what does not show (so that one may be read in vain),
 * and `modifiedTime` with each edit.
 */
export function versionOf({ md5Checksum, headRevisionId, version, modifiedTime, name, mimeType }: DriveFile): string {
  const bytes = md5Checksum ?? headRevisionId ?? [version ?? '', modifiedTime ?? '']
  return createHash('sha256')
    .update(JSON.stringify([bytes, name, mimeType]))
    .digest('base64url')
    .slice(0, 22)
}
