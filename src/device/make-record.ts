import { Fault } from '../contract/faults.ts'
import type { MemoryRecord, Metadata } from '../contract/snapshot.ts'
import type { Fields } from '../memory/fields.ts'
import { toTextSource } from '../memory/language/text-source.ts'
import type { Understand } from '../memory/understand.ts'
import { LINE_BYTES_MAX } from '../snapshot/file/limits.ts'
import type { JsonObject } from '../snapshot/json/json.ts'
import { serializeRecord } from '../snapshot/record/compute-check.ts'
import { computeMemoryId } from '../snapshot/record/identity.ts'
import type { DeviceOptions } from './device.ts'

type RecordPlan = {
  text: string
  metadata: Metadata | undefined
  fields: Fields
  /** When the record is stored, for one whose source said no time. */
  now: () => string
  /** No time is part of the id: the same line of a batch gives the same memory on another day. */
  undated: boolean
  copy?: number | undefined
}

/** The record of one memory, with its id, without its check. Nothing is extracted from it yet. */
export function makeRecord({ text, metadata, fields, now, undated, copy }: RecordPlan): MemoryRecord {
  const { at, speaker, conversation, position } = fields
  const isUndated = at === undefined && undated
  const time = at ?? now()
  const id = computeMemoryId({ text, speaker, conversation, copy, at: isUndated ? null : time })
  return {
    type: 'memory',
    id,
    at: time,
    text,
    extractor: 0,
    ...(speaker === undefined ? {} : { speaker }),
    ...(conversation === undefined ? {} : { conversation }),
    ...(position === undefined ? {} : { position }),
    ...(copy === undefined ? {} : { copy }),
    ...(isUndated ? { undated: true as const } : {}),
    ...(metadata === undefined ? {} : { metadata })
  }
}

/** The record with what is understood of its text, where somebody understands. */
export function understandRecord(record: MemoryRecord, understand: Understand | undefined): MemoryRecord {
  return understand === undefined ? record : { ...record, ...understand(toTextSource(record)) }
}

/**
 * The record's line with its LF.
 * @throws Fault `too_large` where it would be longer than a line may be.
 */
export function toRecordLine(record: MemoryRecord): string {
  const line = `${serializeRecord(record as JsonObject)}\n`
  if (line.length > LINE_BYTES_MAX / 3 && Buffer.byteLength(line) > LINE_BYTES_MAX) {
    throw new Fault(
      'too_large',
      `the memory would take ${Buffer.byteLength(line)} bytes, and a line may have ${LINE_BYTES_MAX}`,
      {
        hint: 'cut the text into several memories'
      }
    )
  }
  return line
}

/** The extractor, loaded by the first that stores; undefined where the device was opened without one. */
export async function loadUnderstanding({ extract = true }: DeviceOptions): Promise<Understand | undefined> {
  return extract ? (await import('../memory/understand.ts')).understand : undefined
}
