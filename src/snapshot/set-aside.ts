import type { Files } from '../ports.ts'
import { putAside } from './aside.ts'
import type { Source } from './source.ts'
import type { Survey } from './survey.ts'

/**
 * Puts into `NAME.aside` what a new file in the place of this one would not have: damaged lines, and an unfinished one at
 * the end. Where more lines are damaged than are listed, the whole file. Gives how many bytes these are.
 */
export function setAside(files: Files, source: Source, survey: Survey): number {
  const ranges = asideRanges(survey, source)
  if (ranges.length === 0) return 0
  const fd = files.open(source.path, 'read')
  try {
    putAside(files, source.path, { fd, ranges })
  } finally {
    files.close(fd)
  }
  return ranges.reduce((sum, { bytes }) => sum + bytes, 0)
}

type Range = { offset: number; bytes: number }

function asideRanges({ reading }: Survey, { facts }: Source): Range[] {
  const { damaged, tail, unlisted } = reading
  if (unlisted > 0) return [{ offset: 0, bytes: facts.size }]
  return tail !== undefined && !tail.sound ? [...damaged, tail] : damaged
}
