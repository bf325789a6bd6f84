import type { MemoryRecord } from '../contract/snapshot.ts'
import type { Place } from '../search/rank/rank-documents.ts'
import type { Source } from '../snapshot/file/source.ts'
import { computeCheck, findCheckSuffix, readCheck } from '../snapshot/record/check.ts'
import { judgeLine, toMemory } from '../snapshot/record/judge.ts'

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
    read({ offset, length }) {
      if (known.has(offset)) return known.get(offset)
      const bytes = Buffer.allocUnsafe(length)
      const end = source.read(bytes, offset)
      const record = checkedRecord(bytes.subarray(0, end)) ?? judgedRecord(bytes, end)
      known.set(offset, record)
      return record
    },
    missed: () => [...known.values()].filter((record) => record === undefined).length
  }
}

/**
 * A line was judged when the index took it in. That it is still whole its own check tells, which takes one hash. Undefined
 * where it does not, or the line is not written as we write.
 */
function checkedRecord(bytes: Buffer): MemoryRecord | undefined {
  const suffix = findCheckSuffix(bytes, 0, bytes.length)
  if (suffix < 0 || readCheck(bytes, suffix) !== computeCheck(bytes, 0, suffix)) return undefined
  const record = parsed(bytes)
  const isMemory = record.type === 'memory' && typeof record.text === 'string' && typeof record.at === 'string'
  return isMemory ? (record as MemoryRecord) : undefined
}

/** Nothing where it is no JSON: whoever changes a file while it is read may leave a check that fits. */
function parsed(bytes: Buffer): Partial<MemoryRecord> {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return {}
  }
}

function judgedRecord(bytes: Buffer, end: number): MemoryRecord | undefined {
  const judged = judgeLine(bytes, 0, end)
  return typeof judged === 'string' || judged.kind !== 'memory' ? undefined : toMemory(judged.view)
}
