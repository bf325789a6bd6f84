import { Fault } from '../contract/faults.ts'
import type { FileFacts, Files } from '../ports.ts'
import { appendToObject } from './append-to-object.ts'
import { formOf, type Readable } from './read-snapshot.ts'
import { realSnapshotPath } from './source.ts'
import { quietly } from './system-fault.ts'
import { settleTail } from './tail.ts'
import { writeFully } from './write-fully.ts'

/** Told the file's facts before and after an append, under the lock: keeps an index's stamp in step. */
export type AppendWitness = { before(facts: FileFacts): void; after(facts: FileFacts): void }

/** `lines` are whole, each with its LF. */
export type Append = { lines: Buffer; witness?: AppendWitness | undefined }

export type Appended = {
  /** Bytes of an unfinished line that were found at the end and put into `NAME.aside`. */
  asideBytes: number
}

/**
 * Appends whole lines (each with its LF) to the snapshot at `path`, its real path, and returns when they are on the
 * disk. The caller holds the lock. The cost does not depend on the file's size, but for a file in the object form, which
 * is written anew.
 *
 * The descriptor lives within this call only: one kept from before the lock could be of a file that a whole-file writer
 * has replaced since. For the same reason the path is looked at once more at the end.
 */
export function appendLines(files: Files, path: string, { lines, witness }: Append): Appended {
  let asideBytes = 0
  for (let tries = 0; tries < REPLACED_TRIES_MAX; tries++) {
    realSnapshotPath(files, path)
    const fd = files.open(path, 'append')
    try {
      const facts = files.facts(fd)
      witness?.before(facts)
      if (formOf(readable(files, { path, fd, facts })) === 'json') {
        appendToObject(files, path, lines)
        return { asideBytes }
      }
      const settled = settleTail(files, path, fd)
      asideBytes += settled.asideBytes
      const bytes = settled.needsLf ? Buffer.concat([LF, lines]) : lines
      if (writeOrCutBack(files, { path, fd, facts }, { bytes, end: settled.end })) {
        quietly(() => witness?.after(files.facts(fd)))
        return { asideBytes }
      }
    } finally {
      quietly(() => files.close(fd))
    }
  }
  throw new Fault('locked', `${path} is being replaced again and again by a program that does not take its lock`, {
    hint: 'stop that program and run the command again'
  })
}

const REPLACED_TRIES_MAX = 5
const LF = Buffer.from('\n')

type Opened = { path: string; fd: number; facts: FileFacts }

function readable(files: Files, { path, fd, facts }: Opened): Readable {
  return { path, facts, read: (into, at) => files.read(fd, into, at) }
}

/**
 * A line is there as a whole or not at all: what is refused is not in the file, so that nobody says it twice. After a
 * failed sync the descriptor is not trusted again. False when the file was replaced behind our back.
 */
function writeOrCutBack(files: Files, opened: Opened, { bytes, end }: { bytes: Buffer; end: number }): boolean {
  try {
    writeFully(files, opened.fd, bytes)
    files.syncData(opened.fd)
    return isStillThere(files, opened, end + bytes.length)
  } catch (error) {
    quietly(() => files.truncate(opened.fd, end))
    throw error
  }
}

/** Whether the path still leads to the file that was written, at least as long as it was made. */
function isStillThere(files: Files, { path, facts }: Opened, end: number): boolean {
  const now = files.findEntry(path)
  return now !== undefined && now.ino === facts.ino && now.dev === facts.dev && now.size >= end
}
