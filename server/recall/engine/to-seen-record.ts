import type { ParsedLine, RecordPlace, SeenRecord } from '../../../src/snapshot/record/check-record-shape.ts'

/**
 * Combines a parsed line with its place. Members are copied one by one: this runs for every line, and spreading takes
 * ten times as long.
 */
export function toSeenRecord(parsed: ParsedLine, { offset, length, line }: RecordPlace): SeenRecord {
  const { kind, view, check, id, at, position, extractor, targets } = parsed
  return { kind, view, check, id, at, position, extractor, targets, offset, length, line }
}
