import type { MemoryRecord } from '../../../src/contract/snapshot.ts'
import { makeRecord, toRecordLine } from '../../../src/device/make-record.ts'
import { resolveFields } from '../../../src/memory/fields.ts'
import { formatTime } from '../../../src/memory/parse-iso-time.ts'
import type { RememberInput } from '../engine/engine.ts'

/**
 * Builds the record of a text before extraction. Without a time in its metadata it is undated, so that storing it again
 * gives the same memory. Metadata values of an unexpected type are ignored.
 */
export function plainRecord({ text, metadata, fields = {}, nowMs, copy }: RememberInput): MemoryRecord {
  return makeRecord({
    text,
    metadata,
    fields: resolveFields(fields, metadata),
    now: () => formatTime(nowMs) ?? FIRST_TIME,
    undated: true,
    copy: copy > 1 ? copy : undefined
  })
}

/** Used if the clock is outside the supported range. */
const FIRST_TIME = '1970-01-01T00:00:00.000Z'

/**
 * Returns the record's line with its LF.
 *
 * @throws Fault `too_large` if it would exceed the maximum length of a line.
 */
export function lineBytes(record: MemoryRecord): Uint8Array {
  return new TextEncoder().encode(toRecordLine(record))
}
