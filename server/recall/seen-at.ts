import type { Judged, RecordPlace, SeenRecord } from '../../src/snapshot/record/check-record-shape.ts'

/** A judged line and where it stands. Member by member: this is made of every line, and spreading takes ten times as long. */
export function seenAt(judged: Judged, { offset, length, line }: RecordPlace): SeenRecord {
  const { kind, view, check, id, at, position, extractor } = judged
  return { kind, view, check, id, at, position, extractor, offset, length, line }
}
