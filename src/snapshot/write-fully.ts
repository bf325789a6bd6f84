import type { Files } from '../ports.ts'

/** Writes all bytes: one call may take fewer than it was given. Without `at`, at the end or after the last write. */
export function writeFully(files: Files, fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += files.write(fd, done === 0 ? bytes : bytes.subarray(done))
}
