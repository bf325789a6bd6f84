import type { Files } from '../../ports.ts'
import { refusedBySystem } from '../input/read-file.ts'

/** Bytes of a file that are in memory at once. */
const CHUNK_BYTES = 1 << 18

/** The bytes of a file, piece by piece. `onBytes` is told how many have gone, the last time with all. */
export async function* fileChunks(
  files: Files,
  path: string,
  onBytes: (bytes: number) => void
): AsyncGenerator<Uint8Array> {
  const fd = refusedBySystem(path, () => files.open(path, 'read'))
  try {
    for (let at = 0; ; ) {
      const chunk = new Uint8Array(CHUNK_BYTES)
      const count = refusedBySystem(path, () => files.read(fd, chunk, at))
      if (count === 0) return
      yield chunk.subarray(0, count)
      at += count
      onBytes(at)
    }
  } finally {
    files.close(fd)
  }
}
