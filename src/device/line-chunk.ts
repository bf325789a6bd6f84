/** Lines, each with its LF, that are to be one append. */
export type LineChunk = {
  readonly count: number
  /** False where the line no longer fits. Into an empty chunk every line fits. */
  add(line: string): boolean
  /** The lines as bytes, good until the next is added. The chunk is empty then. */
  take(): Buffer
}

/** A chunk of at most so many bytes, or of one line that is longer. */
export function createLineChunk(bytesMax: number): LineChunk {
  let buffer = Buffer.allocUnsafe(0)
  let used = 0
  let count = 0
  return {
    get count() {
      return count
    },
    add(line) {
      // Three bytes are the most that a UTF-16 unit takes: only near the end the bytes must be counted.
      const bytes = used + line.length * 3 <= Math.min(buffer.length, bytesMax) ? 0 : Buffer.byteLength(line)
      if (used + bytes > bytesMax && count > 0) return false
      if (used + bytes > buffer.length) buffer = Buffer.concat([buffer.subarray(0, used)], Math.max(bytesMax, bytes))
      used += buffer.write(line, used)
      count++
      return true
    },
    take() {
      const bytes = buffer.subarray(0, used)
      used = 0
      count = 0
      return bytes
    }
  }
}
