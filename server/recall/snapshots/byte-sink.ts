import type { Sink } from '../../../src/snapshot/file/replace-file.ts'

/** A sink into memory. `take` gives what was written, with memory of its own. */
export function createByteSink(expectedBytes: number): Sink & { take(): Uint8Array } {
  let bytes = new Uint8Array(expectedBytes + ROOM_BYTES)
  let used = 0
  return {
    get written() {
      return used
    },
    write(part) {
      const added = typeof part === 'string' ? Buffer.from(part) : part
      if (used + added.length > bytes.length) {
        const larger = new Uint8Array((used + added.length) * 2)
        larger.set(bytes.subarray(0, used))
        bytes = larger
      }
      bytes.set(added, used)
      used += added.length
    },
    take: () => bytes.slice(0, used)
  }
}

/** For the frame around what is expected. */
const ROOM_BYTES = 64 * 1024
