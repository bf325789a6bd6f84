import type { MemoryRecord } from '../../../src/contract/snapshot.ts'
import { understandRecord } from '../../../src/device/make-record.ts'
import type { Understand } from '../../../src/memory/understand.ts'
import type { Sink } from '../../../src/snapshot/file/replace-file.ts'
import { createBytesSource } from '../../../src/snapshot/file/source.ts'
import { readSnapshot } from '../../../src/snapshot/read-snapshot.ts'
import type { RecordTable } from '../../../src/snapshot/table/record-table.ts'
import { writeCanonical } from '../../../src/snapshot/write-canonical.ts'
import type { RememberInput, SnapshotBytes } from '../engine/engine.ts'
import { lineBytes, plainRecord } from '../memories/plain-record.ts'
import { readSent } from './read-sent.ts'

/** Returns the UTF-8 of `{"snapshot": …}`: the snapshot in canonical form with the memory added. */
export function storeInSentSnapshot(understand: Understand, snapshot: SnapshotBytes, input: RememberInput): Uint8Array {
  const { table, headers, source } = readSent(snapshot)
  const record = recordFor(table, input)
  const line = isKnown(table, record) ? new Uint8Array() : lineBytes(understandRecord(record, understand))
  const added = createBytesSource(line, 'the memory')
  readSnapshot(added, (seen) => table.add(seen, 1), { form: 'jsonl', offset: 0, number: 1 })
  const sink = createByteSink(source.facts.size + line.length)
  sink.write('{"snapshot":')
  writeCanonical(sink, { table, sources: [source, added], headers, form: 'json' })
  sink.write('}')
  return sink.take()
}

/** Builds the record of a text. If the snapshot has forgotten a memory with the same text, it builds the next copy. */
function recordFor(table: RecordTable, input: RememberInput): MemoryRecord {
  for (let copy = input.copy; ; copy++) {
    const record = plainRecord({ ...input, copy })
    const id = findNumber(table, record)
    if (id < 0 || table.forget(id) < 0) return record
  }
}

function isKnown(table: RecordTable, record: MemoryRecord): boolean {
  const id = findNumber(table, record)
  return id >= 0 && table.winner(id) >= 0
}

function findNumber({ ids }: RecordTable, { id }: MemoryRecord): number {
  return ids.find(Buffer.from(id.slice(4), 'hex'), 0)
}

/** Creates a sink in memory. `take` returns what was written, in its own memory. */
function createByteSink(expectedBytes: number): Sink & { take(): Uint8Array } {
  let bytes = new Uint8Array(expectedBytes + ROOM_BYTES)
  let used = 0
  return {
    get written() {
      return used
    },
    write(part) {
      const added = typeof part === 'string' ? Buffer.from(part) : part
      if (used + added.length > bytes.length) {
        const larger = new Uint8Array((used + added.length) * 2)
        larger.set(bytes.subarray(0, used))
        bytes = larger
      }
      bytes.set(added, used)
      used += added.length
    },
    take: () => bytes.slice(0, used)
  }
}

/** Additional space for the enclosing JSON. */
const ROOM_BYTES = 64 * 1024
