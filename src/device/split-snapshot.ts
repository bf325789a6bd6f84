import type { SnapshotHeader } from '../contract/snapshot.ts'
import { openSource, type Source } from '../snapshot/file/source.ts'
import { type LinePlace, walkLines } from '../snapshot/file/walk-lines.ts'
import { createEmptyHeader, serializeHeader } from '../snapshot/record/create-header.ts'
import { type DeviceWorld, withSystemFaultsSync } from './device-world.ts'

/** A snapshot by itself, as bytes, and how many lines of the whole it has. */
export type SnapshotPart = { bytes: Uint8Array; records: number }

/**
 * The lines of a snapshot file in parts of at most `bytesMax` bytes, or of one line where that is longer. Each begins with a
 * header that claims nothing, so that none of them misses the others. The file must be one that was written as a whole:
 * it is not judged again. Memory is taken for one part.
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

/** Where the next part starts; undefined at the end of the file. */
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
