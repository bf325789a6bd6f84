import { judgeLine } from '../../../src/snapshot/record/judge.ts'
import type { SeenRecord } from '../../../src/snapshot/record/record-shape.ts'
import { seenAt } from '../seen-at.ts'

/** Where a line stands in some bytes, and where in the mirror. */
export type LineRange = { start: number; end: number; offset: number }

/** A line as the device's index takes it in; undefined where it is not sound. Good until the next one is judged. */
export function judgedLine(bytes: Buffer, { start, end, offset }: LineRange): SeenRecord | undefined {
  const judged = judgeLine(bytes, start, end)
  return typeof judged === 'string' ? undefined : seenAt(judged, { offset, length: end - start, line: 0 })
}
