import type { Understand } from '../memory/understand.ts'
import { LINE_BYTES_MAX } from '../snapshot/file/limits.ts'
import type { Source } from '../snapshot/file/source.ts'
import type { SurveyHelp } from '../snapshot/survey.ts'
import { fileBatchLines } from './batch-lines.ts'
import { createBatchRecords } from './batch-records.ts'
import { batchRecordLine } from './batch-run.ts'
import { understood } from './make-record.ts'

/** The time that undated lines count from, who understands texts, and what to await now and then. */
export type BatchTest = { startMs: number; understand: Understand | undefined } & Pick<SurveyHelp, 'pause'>

/**
 * Tests every line of a batch that is a file, before anything of it is stored.
 * @throws Fault `malformed_json`, `invalid_input` or `too_large`, naming the line.
 */
export async function testBatch(batch: Source, { startMs, understand, pause }: BatchTest): Promise<void> {
  let hasLong = false
  for (const lines of fileBatchLines(batch)) {
    hasLong ||= lines.some(({ bytes }) => bytes > LONG_BYTES)
    await pause?.()
  }
  if (!hasLong) return
  const recordOf = createBatchRecords(startMs)
  for (const lines of fileBatchLines(batch)) {
    for (const line of lines) {
      const record = recordOf(line)
      if (line.bytes > LONG_BYTES) batchRecordLine(understood(record, understand), line.number)
    }
    await pause?.()
  }
}

/**
 * Only a line longer than this may become a record that is longer than a line may be: a number such as 9e15, written out,
 * takes four times its room, and nothing grows more.
 */
const LONG_BYTES = LINE_BYTES_MAX / 8
