import { Buffer } from 'node:buffer'

/** A message of an mbox. `from` is the line that begins it. */
export type MboxMessage = {
  from: string
  bytes: Uint8Array<ArrayBuffer>
  /** Whether only the first bytes were kept. */
  cut: boolean
}

/** More of a message, which is in its attachments, is not kept. */
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024

/** A longer line does not begin a message. */
const FROM_LINE_MAX = 1000

/** The bytes that are kept between two chunks: a line end, a blank line before it, and `From `. */
const OVERLAP = 8

/**
 * Splits an mbox into its messages. A message begins after a blank line with `From `, and a time of the form of RFC 4155:
 * many programs do not mark such lines in texts. What is before the first one is yielded with an empty `from`.
 */
export async function* splitMbox(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<MboxMessage> {
  // The blank line lets the first line of the file begin a message.
  let rest: Buffer = Buffer.from('\n\n')
  let message = createCollector('')
  for await (const chunk of chunks) {
    const data = Buffer.concat([rest, chunk])
    let from = 0
    let found = data.indexOf(BEGIN)
    while (found !== -1) {
      const end = data.indexOf(LF, found + 1)
      if (end === -1 && data.length - found < FROM_LINE_MAX) break
      const line = readFromLine(data, found, end)
      if (line !== undefined) {
        message.add(data.subarray(from, found + 1))
        yield message.finish()
        message = createCollector(line)
        from = end + 1
      }
      found = data.indexOf(BEGIN, line === undefined ? found + 1 : end)
    }
    const kept = Math.max(from, found === -1 ? data.length - OVERLAP : found - 2)
    message.add(data.subarray(from, kept))
    rest = data.subarray(kept)
  }
  message.add(rest)
  yield message.finish()
}

const LF = 0x0a
const BEGIN = Buffer.from('\nFrom ')

/** Returns the line after the line end at `found` if it begins a message. */
function readFromLine(data: Buffer, found: number, end: number): string | undefined {
  const isAfterBlank = data[found - 1] === LF || (data[found - 1] === 0x0d && (found === 1 || data[found - 2] === LF))
  if (!isAfterBlank || end === -1 || end - found > FROM_LINE_MAX) return undefined
  const line = data.toString('latin1', found + 1, end).trimEnd()
  return FROM_LINE.test(line) ? line : undefined
}

const FROM_LINE = /^From .*\b\d{1,2}:\d\d(:\d\d)?\b.*\b\d{4}\b/

function createCollector(from: string) {
  const parts: Uint8Array[] = []
  let size = 0
  let cut = false
  return {
    add(bytes: Uint8Array): void {
      const part = bytes.subarray(0, MESSAGE_BYTES_MAX - size)
      if (part.length < bytes.length) cut = true
      if (part.length === 0) return
      size += part.length
      parts.push(part)
    },
    finish: (): MboxMessage => ({ from, bytes: restoreFromLines(Buffer.concat(parts)), cut })
  }
}

/** Removes the `>` that marks a line of the text that begins with `From `. */
function restoreFromLines(bytes: Buffer<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (!bytes.includes('>From ')) return bytes
  return Buffer.from(bytes.toString('latin1').replace(/^>(>*From )/gm, '$1'), 'latin1')
}
