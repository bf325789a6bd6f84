import { dirname } from 'node:path'
import { Fault } from '../../contract/faults.ts'
import type { Files } from '../../ports.ts'

/**
 * Replaces or creates a file through the new file `beside` in its folder, so that a reader sees all of the old or the
 * new content. Only the owner can read the new file. If writing fails, the old file is unchanged and `beside` is deleted.
 *
 * @throws Fault `system_refused` if the system does not write all bytes; errors of the system as they are.
 */
export function replaceFile(
  files: Files,
  { path, beside = `${path}.new` }: { path: string; beside?: string },
  bytes: Uint8Array
): void {
  if (files.findEntry(beside) !== undefined) files.unlink(beside)
  const fd = files.open(beside, 'create', 0o600)
  try {
    for (let done = 0; done < bytes.length; ) done += assertWritten(files.write(fd, bytes.subarray(done)), path)
    files.sync(fd)
  } catch (error) {
    files.unlink(beside)
    throw error
  } finally {
    files.close(fd)
  }
  files.rename(beside, path)
  files.syncFolder(dirname(path))
}

function assertWritten(count: number, path: string): number {
  if (count > 0) return count
  throw new Fault('system_refused', `${path}: the system did not write all bytes`)
}
