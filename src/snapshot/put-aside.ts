import { dirname } from 'node:path'
import type { Files } from '../ports.ts'
import { BLOCK_BYTES } from './file/limits.ts'
import { writeFully } from './file/replace-file.ts'
import type { Source } from './file/source.ts'
import type { Survey } from './survey.ts'

/**
 * Returns the path of the file for bytes that are removed from a snapshot but may still be wanted. memctl never deletes
 * it.
 */
export function toAsidePath(path: string): string {
  return `${path}.aside`
}

/** Ranges of an open file, in bytes. */
type Ranges = { fd: number; ranges: readonly { offset: number; bytes: number }[] }

/** Appends ranges of an open file to `NAME.aside`, each followed by an LF, and syncs them before it returns. */
export function putAside(files: Files, path: string, { fd, ranges }: Ranges): void {
  const aside = toAsidePath(path)
  const isNew = files.findEntry(aside) === undefined
  const out = files.open(aside, isNew ? 'create' : 'append')
  try {
    for (const range of ranges) {
      copyRange(files, { from: fd, to: out, ...range })
      writeFully(files, out, LF)
    }
    files.sync(out)
  } finally {
    files.close(out)
  }
  if (isNew) files.syncFolder(dirname(path))
}

const LF = Buffer.from('\n')

type Copy = { from: number; to: number; offset: number; bytes: number }

function copyRange(files: Files, { from, to, offset, bytes }: Copy): void {
  const block = Buffer.allocUnsafe(Math.min(bytes, BLOCK_BYTES))
  for (let done = 0; done < bytes; ) {
    const got = files.read(from, block.subarray(0, Math.min(block.length, bytes - done)), offset + done)
    if (got === 0) break
    writeFully(files, to, block.subarray(0, got))
    done += got
  }
}

/**
 * Copies to `NAME.aside` what a rewritten file would lack: damaged lines, and an unfinished one at the end. If not all
 * damaged lines are listed, copies the whole file. Returns the number of bytes copied.
 */
export function putLossesAside(files: Files, source: Source, survey: Survey): number {
  const ranges = findAsideRanges(survey, source)
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

function findAsideRanges({ reading }: Survey, { facts }: Source): Range[] {
  const { damaged, tail, unlisted } = reading
  if (unlisted > 0) return [{ offset: 0, bytes: facts.size }]
  return tail !== undefined && !tail.sound ? [...damaged, tail] : damaged
}
