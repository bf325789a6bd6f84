import { Fault } from '../../../src/contract/faults.ts'
import { understandRecord } from '../../../src/device/make-record.ts'
import type { Understand } from '../../../src/memory/understand.ts'
import type { RememberInput } from '../engine/engine.ts'
import type { Remembered } from '../engine/engine-calls.ts'
import { makeRecordBatch } from '../engine/make-record-batch.ts'
import { lineBytes, plainRecord } from './plain-record.ts'

/** Builds the memories of several texts. One that is too large does not affect the others. */
export function rememberAll(understand: Understand, inputs: readonly RememberInput[]): Remembered[] {
  return inputs.map((input) => {
    try {
      return rememberOne(understand, input)
    } catch (error) {
      if (!(error instanceof Fault && error.code === 'too_large')) throw error
      return { tooLarge: { message: error.message, hint: error.hint } }
    }
  })
}

function rememberOne(understand: Understand, input: RememberInput): Remembered {
  const record = understandRecord(plainRecord(input), understand)
  const line = lineBytes(record)
  const { id, at, extractor } = record
  const batch = makeRecordBatch([
    {
      kind: 'memory',
      key: id.slice(4),
      atMs: Date.parse(at),
      extractor,
      check: Buffer.from(line.subarray(-CHECK_FROM_END, -CHECK_TO_END)).toString('latin1'),
      line: line.subarray(0, -1)
    }
  ])
  return { memoryId: id, batch }
}

/** A line ends with its check, a quote, a brace and an LF. */
const CHECK_FROM_END = 67
const CHECK_TO_END = 3
