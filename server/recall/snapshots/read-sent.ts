import { Fault, type InputFault } from '../../../src/contract/faults.ts'
import { type Damage, type Reading, readSnapshot } from '../../../src/snapshot/read-snapshot.ts'
import { bytesSource, type Source } from '../../../src/snapshot/source.ts'
import { type Survey, surveySnapshot } from '../../../src/snapshot/survey.ts'
import type { SnapshotBytes } from '../engine.ts'

/** Faults that are named; of more, only the number. */
const FAULTS_MAX = 10

/** A snapshot that came with a request, read once and found to be whole. */
export type SentSnapshot = Survey & { source: Source }

/**
 * Reads a snapshot that was sent, as the device reads a file of its own.
 * @throws Fault `invalid_snapshot` where lines are damaged or lost, with the first ones by path; `not_a_snapshot` and
 * `unsupported_version` for its header.
 */
export function readSent({ bytes, from, to, form }: SnapshotBytes): SentSnapshot {
  const source = bytesSource(bytes.subarray(from, to), 'the snapshot')
  const survey = surveySnapshot(source, form === 'json' ? { form, offset: 0, number: 1 } : undefined)
  refuseDamaged(survey.reading)
  refuseLosses(survey)
  return { ...survey, source }
}

/** Reads the lines again, now known to be sound. */
export function eachLine({ source, reading }: SentSnapshot, visit: Parameters<typeof readSnapshot>[1]): void {
  readSnapshot(source, visit, { form: reading.form, offset: 0, number: 1 })
}

function refuseDamaged(reading: Reading): void {
  const { damaged, unlisted, tail } = reading
  const cut = tail === undefined || tail.sound ? [] : [{ path: pathOf(reading, reading.lines), message: CUT }]
  const errors = [...damaged.slice(0, FAULTS_MAX).map((damage) => faultOf(reading, damage)), ...cut]
  if (errors.length === 0) return
  const count = damaged.length + unlisted + cut.length
  const what = count === 1 ? 'a record is' : `${count} records are`
  throw new Fault('invalid_snapshot', `the snapshot is damaged: ${what} not sound`, {
    hint: 'memctl device verify FILE names every such line; send the snapshot as it was exported',
    errors: errors.slice(0, FAULTS_MAX)
  })
}

const CUT = 'is cut off: the snapshot ends within it'

function faultOf(reading: Reading, { line, reason }: Damage): InputFault {
  return { path: pathOf(reading, line), message: reason }
}

/** Records count from 0, as in the value that was sent; lines from 1. */
function pathOf({ form }: Reading, line: number): string {
  return form === 'json' ? `snapshot.records[${line - 1}]` : `line ${line}`
}

function refuseLosses({ losses, reading }: Survey): void {
  if (losses.lost === 0) return
  throw new Fault('invalid_snapshot', `the snapshot has lost lines: ${losses.reason}`, {
    hint: 'send the snapshot as it was exported',
    errors: [{ path: reading.form === 'json' ? 'snapshot.count' : 'line 1', message: losses.reason ?? '' }]
  })
}
