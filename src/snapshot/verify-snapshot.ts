import type { Source } from './file/source.ts'
import type { Oddities, SnapshotReading } from './read-snapshot.ts'
import { type Survey, surveySnapshot } from './survey.ts'

/** The verdict on a file: its content, damage, losses, and tolerated deviations. */
export type Verdict = Survey & {
  /** Neither damaged nor incomplete. An unfinished tail and tolerated deviations do not matter. */
  sound: boolean
  rootHash: string
  notes: string[]
}

/** Reads and verifies a whole file. */
export function verifySnapshot(source: Source): Verdict {
  return summarizeSurvey(surveySnapshot(source))
}

/** Verifies a file that was already read. */
export function summarizeSurvey(survey: Survey): Verdict {
  const { reading, table, losses } = survey
  return {
    ...survey,
    sound: reading.damaged.length === 0 && losses.lost === 0,
    rootHash: table.rootHash(),
    notes: describeOddities(reading)
  }
}

/** Describes the tolerated deviations, one per text; `compact` removes all of them. */
export function describeOddities({ form, odd, notCanonicalAt, headers, tail }: SnapshotReading): string[] {
  const notes = ODDITIES.flatMap(([field, means]) => (odd[field] > 0 ? [`${odd[field]} ${means}`] : []))
  if (notCanonicalAt !== undefined) {
    const first = `${form === 'json' ? 'record' : 'line'} ${notCanonicalAt}`
    notes.push(
      `${odd.notCanonical} ${odd.notCanonical === 1 ? 'line' : 'lines'} with other key order or spacing, the first is ${first}`
    )
  }
  if (headers.length > 1) notes.push(`${headers.length} header lines, which are merged`)
  if (tail?.sound) notes.push('the last line lacks its LF')
  if (tail && !tail.sound) notes.push(`an unfinished line of ${tail.bytes} bytes at the end, never acknowledged`)
  return notes
}

const ODDITIES: readonly (readonly [field: keyof Oddities, means: string])[] = [
  ['byteOrderMarks', 'byte order mark at the start'],
  ['carriageReturns', 'lines that end with CR LF'],
  ['blank', 'blank lines']
]
