import type { Files, SurveyTask } from '../ports.ts'
import type { Reading } from './read-snapshot.ts'
import type { TablePart } from './record-table.ts'
import { openSource } from './source.ts'
import { surveySnapshot } from './survey.ts'

/** What was found in a part of a file, as one thread hands it to another. Lines are counted from the part's first. */
export type SurveyPart = { reading: Reading; part: TablePart; size: number; mtimeNs: bigint; ino: bigint }

/** Reads a part of a file that is whole lines. */
export function surveyPart(files: Files, { path, from, to }: SurveyTask): SurveyPart {
  const source = openSource(files, path)
  try {
    const { size, mtimeNs, ino } = source.facts
    const limited = { ...source, facts: { ...source.facts, size: to } }
    const { reading, table } = surveySnapshot(limited, { form: 'jsonl', offset: from, number: 1 })
    return { reading, part: table.part, size, mtimeNs, ino }
  } finally {
    source.close()
  }
}

/** The memory of a part's arrays, to be handed over instead of copied. */
export function buffersOf({ part }: SurveyPart): ArrayBuffer[] {
  return [...Object.values(part.columns), part.ids].map((array) => array.buffer as ArrayBuffer)
}

/** A part as it arrives: the thread's buffers have become plain byte arrays. */
export function receivedPart(message: unknown): SurveyPart {
  const received = message as SurveyPart
  const { columns, ids } = received.part
  return {
    ...received,
    part: { ...received.part, columns: { ...columns, check: asBuffer(columns.check) }, ids: asBuffer(ids) }
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
