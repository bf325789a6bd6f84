import { Fault } from '../contract/faults.ts'
import type { FileFacts, Files } from '../ports.ts'
import { LINE_BYTES_MAX } from './file/limits.ts'
import { replaceFile, writeFully } from './file/replace-file.ts'
import { openSource, readFully, resolveSnapshotPath } from './file/source.ts'
import { ignoreSystemError } from './file/to-system-fault.ts'
import { putAside } from './put-aside.ts'
import { detectForm, type Readable } from './read-snapshot.ts'
import { parseHeader } from './record/create-header.ts'
import { parseLine, toRecord } from './record/parse-line.ts'
import { walkObject } from './walk-object.ts'
import { copyBytes } from './write-canonical.ts'

/** Receives the file's facts before and after an append, under the lock, to keep an index's stamp up to date. */
export type AppendWitness = { before(facts: FileFacts): void; after(facts: FileFacts): void }

/** `lines` are complete lines, each with its LF. */
type Append = { lines: Buffer; witness?: AppendWitness | undefined }

type Appended = {
  /** Number of bytes of an unfinished line at the end of the file that were moved to `NAME.aside`. */
  asideBytes: number
}

/**
 * Appends complete lines (each with its LF) to the snapshot at `path`, its real path, and returns when they are on the
 * disk. The caller holds the lock. The cost does not depend on the file's size, except for a file in object form, which
 * is rewritten.
 *
 * The file is opened within this call, because a descriptor from before the lock might belong to a file that has been
 * replaced since. For the same reason the path is checked once more at the end.
 */
export function appendLines(files: Files, path: string, { lines, witness }: Append): Appended {
  let asideBytes = 0
  for (let tries = 0; tries < REPLACED_TRIES_MAX; tries++) {
    resolveSnapshotPath(files, path)
    const fd = files.open(path, 'append')
    try {
      const facts = files.facts(fd)
      witness?.before(facts)
      if (detectForm(toReadable(files, { path, fd, facts })) === 'json') {
        appendToObject(files, path, lines)
        return { asideBytes }
      }
      const settled = settleTail(files, path, fd)
      asideBytes += settled.asideBytes
      const bytes = settled.needsLf ? Buffer.concat([LF, lines]) : lines
      if (writeOrCutBack(files, { path, fd, facts }, { bytes, end: settled.end })) {
        ignoreSystemError(() => witness?.after(files.facts(fd)))
        return { asideBytes }
      }
    } finally {
      ignoreSystemError(() => files.close(fd))
    }
  }
  throw new Fault('locked', `${path} is being replaced repeatedly by a program that does not take its lock`, {
    hint: 'stop that program and run the command again'
  })
}

const REPLACED_TRIES_MAX = 5
const LF = Buffer.from('\n')

type Opened = { path: string; fd: number; facts: FileFacts }

function toReadable(files: Files, { path, fd, facts }: Opened): Readable {
  return { path, facts, read: (into, at) => files.read(fd, into, at) }
}

/**
 * Writes a line completely or not at all, so that a user can safely repeat a store that failed. A descriptor is not
 * trusted after a failed sync. Returns false if another program replaced the file.
 */
function writeOrCutBack(files: Files, opened: Opened, { bytes, end }: { bytes: Buffer; end: number }): boolean {
  try {
    writeFully(files, opened.fd, bytes)
    files.syncData(opened.fd)
    return isStillThere(files, opened, end + bytes.length)
  } catch (error) {
    ignoreSystemError(() => files.truncate(opened.fd, end))
    throw error
  }
}

/** Checks that the path still leads to the file that was written, and that it has at least its expected size. */
function isStillThere(files: Files, { path, facts }: Opened, end: number): boolean {
  const now = files.findEntry(path)
  return now !== undefined && now.ino === facts.ino && now.dev === facts.dev && now.size >= end
}

/**
 * Adds records at the end of `records` in a file in object form. Lines cannot be appended to that form, so the whole
 * file is rewritten; all other bytes stay unchanged. The caller holds the lock.
 */
function appendToObject(files: Files, path: string, lines: Buffer): void {
  const source = openSource(files, path)
  try {
    const { records } = walkObject(source, () => undefined)
    const texts = lines.toString('utf8').trimEnd().split('\n')
    replaceFile(files, { path, mode: source.facts.mode }, (sink) => {
      copyBytes(source, sink, { start: 0, end: records.offset })
      sink.write(`${records.isEmpty ? '' : ','}${texts.join(',\n')}\n`)
      copyBytes(source, sink, { start: records.offset, end: source.facts.size })
    })
  } finally {
    source.close()
  }
}

/** The state of a file's end, and what was done about it. */
type Settled = {
  /** The current file size, where the next line begins. */
  end: number
  /** The last line is valid but lacks its LF, so the next append begins with one. */
  needsLf: boolean
  /** Number of bytes of an unfinished line that were moved to `NAME.aside`. */
  asideBytes: number
}

/**
 * Handles bytes after the last LF, under the lock, in a file with a valid header. A valid line there is a record that
 * lacks its LF. Anything else is an interrupted write that was never acknowledged: it is moved to `NAME.aside`, and the
 * file is truncated.
 */
function settleTail(files: Files, path: string, fd: number): Settled {
  const { size } = files.facts(fd)
  const start = findAfterLastLf(files, fd, size)
  const bytes = size - start
  if (bytes === 0) return { end: size, needsLf: false, asideBytes: 0 }
  // The first line is known to be a header, with or without a byte order mark.
  if (start === 0 || isSoundLine(files, fd, { start, bytes })) return { end: size, needsLf: true, asideBytes: 0 }
  putAside(files, path, { fd, ranges: [{ offset: start, bytes }] })
  files.truncate(fd, start)
  return { end: start, needsLf: false, asideBytes: bytes }
}

const STEP_BYTES = 64 * 1024
const LF_BYTE = 0x0a

/** Reads backwards. For a complete file this costs one byte, whatever its size. */
function findAfterLastLf(files: Files, fd: number, size: number): number {
  const last = Buffer.alloc(1)
  if (size === 0 || (files.read(fd, last, size - 1) === 1 && last[0] === LF_BYTE)) return size
  const block = Buffer.allocUnsafe(STEP_BYTES)
  for (let end = size; end > 0; end -= STEP_BYTES) {
    const start = Math.max(0, end - STEP_BYTES)
    const got = readFully(files, { fd, into: block.subarray(0, end - start), at: start })
    const lf = block.subarray(0, got).lastIndexOf(LF_BYTE)
    if (lf >= 0) return start + lf + 1
  }
  return 0
}

function isSoundLine(files: Files, fd: number, { start, bytes }: { start: number; bytes: number }): boolean {
  if (bytes >= LINE_BYTES_MAX) return false
  const line = Buffer.alloc(bytes)
  if (readFully(files, { fd, into: line, at: start }) < bytes) return false
  const parsed = parseLine(line, 0, bytes)
  if (typeof parsed === 'string') return false
  return parsed.kind !== 'header' || typeof parseHeader(toRecord(parsed.view), 'the last line') !== 'string'
}
