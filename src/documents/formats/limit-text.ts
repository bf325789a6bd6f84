import { Buffer } from 'node:buffer'

/** The most text that is kept of a file, in bytes of UTF-8. */
export const TEXT_BYTES_MAX = 2 * 1024 * 1024

/** The last line of a text that is cut is dropped instead of cut in two, if it is at most this long. */
const LINE_LENGTH_MAX = 10_000

/** Limits a text to 2 MiB, with line ends as LF, without control characters and repeated empty lines. */
export function limitText(raw: string): { text: string; cut: boolean } {
  // Characters are at least one byte: more of them than that cannot be needed.
  const taken = raw.slice(0, 2 * TEXT_BYTES_MAX)
  const text = normalizeLines(taken)
  if (Buffer.byteLength(text) <= TEXT_BYTES_MAX) return { text, cut: taken.length < raw.length }
  const bytes = Buffer.from(text).subarray(0, TEXT_BYTES_MAX)
  const whole = bytes.toString().replace(/\ufffd$/, '')
  const end = whole.lastIndexOf('\n')
  return { text: (whole.length - end < LINE_LENGTH_MAX ? whole.slice(0, end) : whole).trimEnd(), cut: true }
}

function normalizeLines(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\f\v]/g, '\n')
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f\u00ad\ufeff]/g, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
