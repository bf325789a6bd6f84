import type { Source } from './file/source.ts'
import type { Oddities, SnapshotReading } from './read-snapshot.ts'
import { type Survey, surveySnapshot } from './survey.ts'

/** The verdict on a file: what it holds, what is damaged or lost, and what is merely odd. */
export type Verdict = Survey & {
  /** No damage and no loss. An unfinished tail and oddities do not count against it. */
  sound: boolean
  rootHash: string
  notes: string[]
}

/** Reads a whole file and judges it. */
export function verifySnapshot(source: Source): Verdict {
  return summarizeSurvey(surveySnapshot(source))
}

/** Judges a file that was read. */
export function summarizeSurvey(survey: Survey): Verdict {
  const { reading, table, losses } = survey
  return {
    ...survey,
    sound: reading.damaged.length === 0 && losses.lost === 0,
    rootHash: table.rootHash(),
    notes: describeOddities(reading)
  }
}

/** What was read past, a sentence each; `compact` mends all of it. */
export function describeOddities({ form, odd, notCanonicalAt, headers, tail }: SnapshotReading): string[] {
  const notes = ODDITIES.flatMap(([field, means]) => (odd[field] > 0 ? [`${odd[field]} ${means}`] : []))
  if (notCanonicalAt !== undefined) {
    const first = `${form === 'json' ? 'record' : 'line'} ${notCanonicalAt}`
    notes.push(
      `${odd.notCanonical} ${odd.notCanonical === 1 ? 'line' : 'lines'} with other key order or spacing, the first is ${first}`
    )
  }
  if (headers.length > 1) notes.push(`${headers.length} header lines, read as one`)
  if (tail?.sound) notes.push('the last line lacks its LF')
  if (tail && !tail.sound) notes.push(`an unfinished line at the end, ${tail.bytes} bytes, never acknowledged`)
  return notes
}

const ODDITIES: readonly (readonly [field: keyof Oddities, means: string])[] = [
  ['byteOrderMarks', 'byte order mark at the start'],
  ['carriageReturns', 'lines that end with CR LF'],
  ['blank', 'blank lines']
]
