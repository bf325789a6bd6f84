import { Fault } from '../../contract/faults.ts'
import type { FileFacts, Files } from '../../ports.ts'
import { ignoreSystemError } from './to-system-fault.ts'

/** Bytes that can be read from any place: an opened snapshot file. */
export type Source = {
  path: string
  facts: FileFacts
  /** Bytes read into the start of `into` from byte `at`; fewer than asked only at the end. */
  read(into: Uint8Array, at: number): number
  /** The same path opened anew, for a second look at a line that another process may have been writing. */
  reopen(): Source
  close(): void
}

/**
 * Opens a snapshot file for reading. A path that is no regular file, or has a second hard link, is refused before it
 * is opened: a FIFO would wait, and of two names for one file only one would have its lock.
 */
export function openSource(files: Files, path: string): Source {
  return openResolved(files, resolveSnapshotPath(files, path), openSource)
}

/** Opens a file that is input and no snapshot, such as a batch: any regular file, through links. */
export function openInput(files: Files, path: string): Source {
  const kind = files.find(path)?.kind
  const hint = 'give a file, or - for stdin'
  if (kind === undefined) throw new Fault('not_found', `there is no file ${path}`, { hint })
  if (kind !== 'file') throw new Fault('invalid_input', `${path} is no regular file`, { hint })
  return openResolved(files, files.realPath(path), openInput)
}

/** Where the file really is, all symlinks followed. Throws what is wrong with it as a snapshot file. */
export function resolveSnapshotPath(files: Files, path: string): string {
  const facts = files.find(path)
  if (facts === undefined) {
    if (files.findEntry(path) === undefined) {
      throw new Fault('snapshot_missing', `no snapshot at ${path}`, { hint: `memctl device init ${path}` })
    }
    throw new Fault('not_a_snapshot', `${path} is a link that leads nowhere`, { hint: 'mend or remove the link' })
  }
  if (facts.kind !== 'file') {
    const what = facts.kind === 'folder' ? 'a folder' : 'no regular file'
    throw new Fault('not_a_snapshot', `${path} is ${what}`, { hint: 'name a snapshot file, NAME.mem.jsonl' })
  }
  if (facts.links > 1) {
    throw new Fault(
      'not_a_snapshot',
      `${path} has ${facts.links} hard links, and only one of the names would be locked`,
      {
        hint: 'copy the file, or use a symlink'
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

/** Reads until the buffer is full or the file ends: one call may give less than is there. */
export function readFully(files: Files, { fd, into, at }: Read): number {
  let got = 0
  while (got < into.length) {
    const count = files.read(fd, into.subarray(got), at + got)
    if (count === 0) break
    got += count
  }
  return got
}

/** A source over bytes in memory, for what arrived otherwise than as a file. */
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
