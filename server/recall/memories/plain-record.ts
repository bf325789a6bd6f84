import type { MemoryRecord } from '../../../src/contract/snapshot.ts'
import { makeRecord, toRecordLine } from '../../../src/device/make-record.ts'
import { resolveFields } from '../../../src/memory/fields.ts'
import { formatTime } from '../../../src/memory/parse-iso-time.ts'
import type { RememberInput } from '../engine/engine.ts'

/**
 * The record of a text, of which nothing is extracted yet. Without a time in its metadata it is undated: said again, it is
 * the same memory. Metadata is arbitrary: what is of another type there is not read.
 */
export function plainRecord({ text, metadata, nowMs, copy }: RememberInput): MemoryRecord {
  return makeRecord({
    text,
    metadata,
    fields: resolveFields({}, metadata),
    now: () => formatTime(nowMs) ?? FIRST_TIME,
    undated: true,
    copy: copy > 1 ? copy : undefined
  })
}

/** What stands for the time of a clock that is out of all bounds. */
const FIRST_TIME = '1970-01-01T00:00:00.000Z'

/**
 * The record's line with its LF.
 * @throws Fault `too_large` where it would be longer than a line may be.
 */
export function lineBytes(record: MemoryRecord): Uint8Array {
  return new TextEncoder().encode(toRecordLine(record))
}
