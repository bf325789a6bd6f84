import type { MemoryRecord } from '../contract/snapshot.ts'
import type { Place } from '../search/rank/rank-documents.ts'
import { checkOf, suffixStart } from '../snapshot/check.ts'
import { judgeLine, memoryOf } from '../snapshot/judge.ts'
import type { Source } from '../snapshot/source.ts'

/** Reads memories of one file for one search. */
export type RecordReader = {
  /** The memory whose line stands there; undefined where no sound one does. A line is read once. */
  read(place: Place): MemoryRecord | undefined
  /** How many could not be read. */
  missed(): number
}

/** A reader of the file that the index was fitted to: what is shown is read from it, and its check tested. */
export function createRecordReader(source: Source): RecordReader {
  const known = new Map<number, MemoryRecord | undefined>()
  return {
    read(place) {
      const { offset, length } = place
      if (known.has(offset)) return known.get(offset)
      const bytes = Buffer.allocUnsafe(length)
      const end = source.read(bytes, offset)
      const record = provenRecord(bytes.subarray(0, end), place.check) ?? judgedRecord(bytes, end)
      known.set(offset, record)
      return record
    },
    missed: () => [...known.values()].filter((record) => record === undefined).length
  }
}

/**
 * The bytes have the check that the index knows of this line: they were judged when they were taken in, and saying so
 * takes one hash. Undefined where they have another check, or are not written as we write.
 */
function provenRecord(bytes: Buffer, check: string): MemoryRecord | undefined {
  const suffix = suffixStart(bytes, 0, bytes.length)
  if (suffix < 0 || !checkOf(bytes, 0, suffix).startsWith(check)) return undefined
  const at = suffix + CHECK_AT
  if (bytes.toString('latin1', at, at + check.length) !== check) return undefined
  return JSON.parse(bytes.toString('utf8')) as MemoryRecord
}

/** Letters of the suffix before the check itself: `,"check":"`. */
const CHECK_AT = 10

function judgedRecord(bytes: Buffer, end: number): MemoryRecord | undefined {
  const judged = judgeLine(bytes, 0, end)
  return typeof judged === 'string' || judged.kind !== 'memory' ? undefined : memoryOf(judged.view)
}
