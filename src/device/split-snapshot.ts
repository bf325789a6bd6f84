import type { SnapshotHeader } from '../contract/snapshot.ts'
import { openSource, type Source } from '../snapshot/file/source.ts'
import { type LinePlace, walkLines } from '../snapshot/file/walk-lines.ts'
import { createEmptyHeader, serializeHeader } from '../snapshot/record/create-header.ts'
import { type DeviceWorld, withSystemFaultsSync } from './device-world.ts'

/** A snapshot as bytes, and the number of lines of the whole that it contains. */
export type SnapshotPart = { bytes: Uint8Array; records: number }

/**
 * Splits the lines of a snapshot file into parts of at most `bytesMax` bytes, or of one longer line. Each part begins
 * with a header that counts no ids, so that no part appears to have lost lines. The file must be canonical: it is not
 * validated again. Uses memory for one part.
 */
export function* splitSnapshot(
  { files }: Pick<DeviceWorld, 'files'>,
  path: string,
  bytesMax: number
): Generator<SnapshotPart> {
  const source = withSystemFaultsSync(`read ${path}`, () => openSource(files, path))
  try {
    const { header, from } = readHeader(source)
    for (let at: LinePlace | undefined = from; at !== undefined; ) {
      const part = { chunks: [header], size: header.length, records: 0 }
      at = withSystemFaultsSync(`read ${path}`, () => fillPart(source, at as LinePlace, { part, bytesMax }))
      if (part.records > 0 || at === undefined) yield { bytes: Buffer.concat(part.chunks), records: part.records }
    }
  } finally {
    source.close()
  }
}

type Part = { chunks: Uint8Array[]; size: number; records: number }

/** Returns where the next part starts; undefined at the end of the file. */
function fillPart(source: Source, from: LinePlace, { part, bytesMax }: { part: Part; bytesMax: number }) {
  let next: LinePlace | undefined
  walkLines(source, from, ({ bytes, start, end, offset, number }) => {
    if (part.records > 0 && part.size + end + 1 - start > bytesMax) {
      next = { offset, number }
      return false
    }
    const line = Buffer.allocUnsafe(end - start + 1)
    bytes.copy(line, 0, start, end)
    line[end - start] = LF
    part.chunks.push(line)
    part.size += line.length
    part.records++
    return true
  })
  return next
}

const LF = 0x0a

function readHeader(source: Source): { header: Buffer; from: LinePlace } {
  let header = Buffer.alloc(0)
  let from: LinePlace = { offset: 0, number: 1 }
  walkLines(source, from, ({ bytes, start, end, length }) => {
    const { id, created_at, collection_id }: SnapshotHeader = JSON.parse(bytes.toString('utf8', start, end))
    header = Buffer.from(`${serializeHeader(createEmptyHeader({ id, created_at, collection_id }))}\n`)
    from = { offset: length, number: 2 }
    return false
  })
  return { header, from }
}
