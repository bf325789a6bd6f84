import { Fault } from '../../contract/faults.ts'
import type { FileFacts, Files } from '../../ports.ts'
import { ignoreSystemError } from './to-system-fault.ts'

/** Bytes with random access, such as an open snapshot file. */
export type Source = {
  path: string
  facts: FileFacts
  /**
   * Reads into the start of `into` from byte `at`, and returns the number of bytes; fewer than requested only at the
   * end.
   */
  read(into: Uint8Array, at: number): number
  /** Opens the same path again, to reread a line that another process may have been writing. */
  reopen(): Source
  close(): void
}

/**
 * Opens a snapshot file for reading. Refuses a path that is not a regular file or has a second hard link, before
 * opening it: opening a FIFO blocks, and of two names for one file only one would be locked.
 */
export function openSource(files: Files, path: string): Source {
  return openResolved(files, resolveSnapshotPath(files, path), openSource)
}

/** Opens an input file that is not a snapshot, such as a batch: any regular file, following links. */
export function openInput(files: Files, path: string): Source {
  const kind = files.find(path)?.kind
  const hint = 'give the path of a file, or - for stdin'
  if (kind === undefined) throw new Fault('not_found', `no such file: ${path}`, { hint })
  if (kind !== 'file') throw new Fault('invalid_input', `${path} is not a regular file`, { hint })
  return openResolved(files, files.realPath(path), openInput)
}

/**
 * Returns the real path of a snapshot file, with all symlinks resolved. Throws a fault if the file cannot be a
 * snapshot.
 */
export function resolveSnapshotPath(files: Files, path: string): string {
  const facts = files.find(path)
  if (facts === undefined) {
    if (files.findEntry(path) === undefined) {
      throw new Fault('snapshot_missing', `no snapshot at ${path}`, { hint: `memctl device init ${path}` })
    }
    throw new Fault('not_a_snapshot', `${path} is a symbolic link to a missing file`, {
      hint: 'fix or remove the link'
    })
  }
  if (facts.kind !== 'file') {
    const what = facts.kind === 'folder' ? 'a folder' : 'not a regular file'
    throw new Fault('not_a_snapshot', `${path} is ${what}`, {
      hint: 'give the path of a snapshot file, such as NAME.mem.jsonl'
    })
  }
  if (facts.links > 1) {
    throw new Fault(
      'not_a_snapshot',
      `${path} has ${facts.links} hard links, and only one of the names would be locked`,
      {
        hint: 'make a copy of the file, or replace the hard link with a symbolic link'
      }
    )
  }
  return files.realPath(path)
}

function openResolved(files: Files, real: string, again: (files: Files, path: string) => Source): Source {
  const fd = files.open(real, 'read')
  return {
    path: real,
    facts: files.facts(fd),
    read: (into, at) => readFully(files, { fd, into, at }),
    reopen: () => again(files, real),
    // Nothing was written, so nothing can have been lost.
    close: () => void ignoreSystemError(() => files.close(fd))
  }
}

type Read = { fd: number; into: Uint8Array; at: number }

/** Reads until the buffer is full or the file ends; a single call may return fewer bytes. */
export function readFully(files: Files, { fd, into, at }: Read): number {
  let got = 0
  while (got < into.length) {
    const count = files.read(fd, into.subarray(got), at + got)
    if (count === 0) break
    got += count
  }
  return got
}

/** Creates a source from bytes in memory, for input that is not a file. */
export function createBytesSource(bytes: Uint8Array, path: string): Source {
  const facts: FileFacts = {
    kind: 'file',
    dev: 0n,
    ino: 0n,
    links: 1,
    mode: 0o600,
    size: bytes.length,
    mtimeNs: 0n,
    ctimeNs: 0n
  }
  return {
    path,
    facts,
    read(into, at) {
      const part = bytes.subarray(at, at + into.length)
      into.set(part)
      return part.length
    },
    reopen: () => createBytesSource(bytes, path),
    close: () => undefined
  }
}
