import { Fault } from '../contract/faults.ts'
import type { MemoryRecord } from '../contract/snapshot.ts'
import { toTextSource } from '../memory/language/text-source.ts'
import type { Understand } from '../memory/understand.ts'
import { LINE_BYTES_MAX } from '../snapshot/file/limits.ts'
import type { JsonObject } from '../snapshot/json/json.ts'
import { serializeRecord } from '../snapshot/record/compute-check.ts'
import { computeMemoryId } from '../snapshot/record/identity.ts'
import type { DeviceOptions } from './device.ts'
import type { ValidInput } from './validate-store-input.ts'

type RecordPlan = Pick<ValidInput, 'text' | 'metadata' | 'fields'> & {
  given?: ValidInput['given']
  supersedes?: ValidInput['supersedes']
  /** Returns the time of storing, for a record whose source gave no time. */
  now: () => string
  /** The time is not part of the id, so that the same batch line gives the same memory on another day. */
  undated: boolean
  copy?: number | undefined
}

/** Creates the record of one memory, with its id, without its check and extracted entries. */
export function makeRecord({ text, fields, now, undated, copy, ...others }: RecordPlan): MemoryRecord {
  const { at, speaker, conversation, position } = fields
  const { metadata, given, supersedes } = others
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
    ...(metadata === undefined ? {} : { metadata }),
    ...(given === undefined ? {} : { given }),
    ...(supersedes === undefined ? {} : { supersedes })
  }
}

/** Adds the extracted entries to a record, if there is an extractor. */
export function understandRecord(record: MemoryRecord, understand: Understand | undefined): MemoryRecord {
  return understand === undefined ? record : { ...record, ...understand(toTextSource(record)) }
}

/**
 * Returns the record's line with its LF.
 * @throws Fault `too_large` if it exceeds the maximum length.
 */
export function toRecordLine(record: MemoryRecord): string {
  const line = `${serializeRecord(record as JsonObject)}\n`
  if (line.length > LINE_BYTES_MAX / 3 && Buffer.byteLength(line) > LINE_BYTES_MAX) {
    throw new Fault(
      'too_large',
      `the memory is too large: its line would take ${Buffer.byteLength(line)} bytes, but a line may have at most ${LINE_BYTES_MAX}`,
      {
        hint: 'split the text into several memories'
      }
    )
  }
  return line
}

/** Loads the extractor at the first store; returns undefined if the device was opened without one. */
export async function loadUnderstanding({ extract = true }: DeviceOptions): Promise<Understand | undefined> {
  return extract ? (await import('../memory/understand.ts')).understand : undefined
}
