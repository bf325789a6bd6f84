import { Buffer } from 'node:buffer'
import type { Duplex } from 'node:stream'

/**
 * A message between a server and a child process: a JSON value, and the bytes of its member `bytes`. It supports
 * nothing else, so that a child compromised by its input can send only data.
 */
export type Frame = Readonly<Record<string, unknown>> & { bytes?: Uint8Array }

/** An error in a frame. */
export type PlainError = { name: string; message: string; stack?: string | undefined }

/** Two lengths as 32-bit numbers: of the JSON, and of the bytes, which is `NO_BYTES` if there are none. */
const HEAD_BYTES = 8
const NO_BYTES = 0xffffffff

/** Writes a frame. The bytes are not copied, so they must not change until they are sent. */
export function writeFrame(to: Duplex, { bytes, ...rest }: Frame): void {
  const json = Buffer.from(JSON.stringify(rest))
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32LE(json.length, 0)
  head.writeUInt32LE(bytes?.length ?? NO_BYTES, 4)
  to.cork()
  to.write(head)
  to.write(json)
  if (bytes !== undefined) to.write(bytes)
  to.uncork()
}

/**
 * Calls `onFrame` for each frame that arrives. Each part is read into a buffer of its exact size. Calls `onBroken`, and
 * nothing after it, if a part is larger than `bytesMax` or is not JSON.
 */
export function readFrames(
  from: Duplex,
  { bytesMax, onFrame, onBroken }: { bytesMax: number; onFrame(frame: Frame): void; onBroken(): void }
): void {
  const parts = frameParts(bytesMax, onFrame)
  let isBroken = false
  from.on('data', (chunk: Buffer) => {
    try {
      if (!isBroken) parts(chunk)
    } catch {
      isBroken = true
      onBroken()
    }
  })
}

/** Creates a function that fills the parts of frames from chunks. */
function frameParts(bytesMax: number, onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let parts = [Buffer.alloc(HEAD_BYTES)]
  let filled = 0
  const begin = (): void => {
    const lengths = [parts[0]?.readUInt32LE(0) ?? 0, parts[0]?.readUInt32LE(4) ?? 0].filter((one) => one !== NO_BYTES)
    if (lengths.some((length) => length > bytesMax)) throw new RangeError('a frame is too large')
    parts.push(...lengths.map((length) => Buffer.allocUnsafeSlow(length)))
  }
  const end = (): void => {
    const [, json = Buffer.alloc(0), bytes] = parts
    parts = [Buffer.alloc(HEAD_BYTES)]
    filled = 0
    const value = JSON.parse(json.toString()) as Frame
    onFrame(bytes === undefined ? value : { ...value, bytes: new Uint8Array(bytes.buffer) })
  }
  return (chunk) => {
    for (let at = 0; ; ) {
      const { part, from } = partAt(parts, filled)
      const taken = chunk.copy(part, from, at)
      at += taken
      filled += taken
      if (filled === HEAD_BYTES && parts.length === 1) begin()
      if (parts.length > 1 && filled === parts.reduce((sum, { length }) => sum + length, 0)) end()
      if (at === chunk.length) return
    }
  }
}

/** Finds the part that the next byte belongs to, and the offset in it. */
function partAt(parts: readonly Buffer[], filled: number): { part: Buffer; from: number } {
  let from = filled
  for (const part of parts) {
    if (from < part.length) return { part, from }
    from -= part.length
  }
  throw new RangeError('a frame is full')
}
