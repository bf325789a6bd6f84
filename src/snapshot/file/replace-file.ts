import { dirname } from 'node:path'
import type { Files } from '../../ports.ts'
import { BLOCK_BYTES } from './limits.ts'

/** Receives bytes in order. */
export type Sink = { write(bytes: Uint8Array | string): void; readonly written: number }

/** The real path of the new file, and its mode. */
type Destination = { path: string; mode?: number }

/**
 * Replaces or creates the file at `path`. The content is written to `NAME.new` and synced before the rename, so that
 * the name always leads to the complete old or new file. The caller holds the lock of `path`. If `fill` or the disk
 * fails, the old file is unchanged and `NAME.new` is deleted.
 */
export function replaceFile<T>(files: Files, { path, mode = 0o600 }: Destination, fill: (sink: Sink) => T): T {
  const next = `${path}.new`
  if (files.findEntry(next) !== undefined) files.unlink(next)
  const fd = files.open(next, 'create', mode)
  try {
    let result: T
    try {
      const sink = createSink(files, fd)
      result = fill(sink)
      sink.flush()
      files.setMode(next, mode)
      files.sync(fd)
    } finally {
      files.close(fd)
    }
    files.rename(next, path)
    files.syncFolder(dirname(path))
    return result
  } catch (error) {
    if (files.findEntry(next) !== undefined) files.unlink(next)
    throw error
  }
}

function createSink(files: Files, fd: number): Sink & { flush(): void } {
  const buffer = Buffer.allocUnsafe(BLOCK_BYTES)
  let used = 0
  let written = 0
  const flush = (): void => {
    writeFully(files, fd, buffer.subarray(0, used))
    used = 0
  }
  return {
    get written() {
      return written
    },
    flush,
    write(part) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part
      written += bytes.length
      if (bytes.length > buffer.length - used) flush()
      if (bytes.length > buffer.length) writeFully(files, fd, bytes)
      else {
        buffer.set(bytes, used)
        used += bytes.length
      }
    }
  }
}

/** Writes all bytes with as many calls as needed. Without `at`, writes at the end or after the last write. */
export function writeFully(files: Files, fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += files.write(fd, done === 0 ? bytes : bytes.subarray(done))
}
