import { Buffer } from 'node:buffer'
import { unreadable } from '../unreadable.ts'

/** Where a page says how it is encoded (https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding). */
const PRESCAN_BYTES = 1024
/** Bytes of the beginning in which NULs say that this is no text: at least so many, and one byte in so many. */
const LOOK_BYTES = 64 * 1024
const NULS_MIN = 8
const NUL_IN = 100

/**
 * The characters of a text file: as its byte order mark says, as UTF-8 if it is that, as a page itself says (`markup`), and else
 * as Windows-1252, which reads anything.
 *
 * @throws ProviderFailure `item_permanent` where it is no text.
 */
export function decodeText(bytes: Uint8Array, kind: 'plain' | 'markup'): string {
  const marked = markOf(bytes)
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes)
  if (isBinary(bytes.subarray(0, LOOK_BYTES))) throw unreadable('it is no text, though its type says so')
  const found = kind === 'markup' ? saidEncoding(bytes) : undefined
  const said = /^(windows-1252|iso-8859-1|latin1|us-ascii)$/i.test(found ?? '') ? undefined : found
  return decodedAs('utf-8', bytes) ?? (said && decodedAs(said, bytes)) ?? windows1252(bytes)
}

function isBinary(start: Uint8Array): boolean {
  const nuls = start.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0)
  return nuls >= NULS_MIN && nuls * NUL_IN >= start.length
}

/** https://encoding.spec.whatwg.org/#bom-sniff */
function markOf(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  return a === 0xff && b === 0xfe ? 'utf-16le' : undefined
}

function saidEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString('latin1')
  return /<(?:meta[^>]*charset|\?xml[^>]*encoding)\s*=\s*["']?([\w:.-]{1,40})/i.exec(start)?.[1]
}

/** Undefined where it is another encoding, or one that nobody knows. */
function decodedAs(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** By its index (https://encoding.spec.whatwg.org/#windows-1252). Node 20 reads it as Latin-1, which has no signs in this place. */
function windows1252(bytes: Uint8Array): string {
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return latin.replace(/[\u0080-\u009f]/g, (letter) => FROM_80[letter.charCodeAt(0) - 0x80] ?? letter)
}

const FROM_80 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
