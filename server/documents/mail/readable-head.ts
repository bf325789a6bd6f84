import { Buffer } from 'node:buffer'

/** A head is looked at up to here. */
const HEAD_BYTES_MAX = 1024 * 1024

/**
 * The message with its headers in UTF-8. Letters beyond ASCII have no place there without it (RFC 6532), but programs of old put
 * them in the charset of their day, mostly one like windows-1252: read as UTF-8 they would be lost.
 */
export function withReadableHead(bytes: Uint8Array): Uint8Array {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const head = whole.subarray(0, Math.min(endOfHead(whole), HEAD_BYTES_MAX))
  if (isUtf8(head)) return bytes
  return Buffer.concat([Buffer.from(head.toString('latin1')), whole.subarray(head.length)])
}

function endOfHead(bytes: Buffer): number {
  const ends = [bytes.indexOf('\r\n\r\n'), bytes.indexOf('\n\n')].filter((at) => at !== -1)
  return ends.length === 0 ? bytes.length : Math.min(...ends)
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
