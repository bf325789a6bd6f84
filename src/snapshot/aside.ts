import { dirname } from 'node:path'
import type { Files } from '../ports.ts'
import { BLOCK_BYTES } from './limits.ts'
import { writeFully } from './write-fully.ts'

/** Where bytes of a snapshot go that are in nobody's way but may be missed: never deleted by memctl. */
export function asidePath(path: string): string {
  return `${path}.aside`
}

/** Parts of an open file, in bytes. */
export type Ranges = { fd: number; ranges: readonly { offset: number; bytes: number }[] }

/** Appends ranges of an open file to `NAME.aside`, an LF after each, and has them on the disk before it returns. */
export function putAside(files: Files, path: string, { fd, ranges }: Ranges): void {
  const aside = asidePath(path)
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
