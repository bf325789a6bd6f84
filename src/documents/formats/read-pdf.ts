import { Buffer } from 'node:buffer'
import { constants, inflateSync } from 'node:zlib'
import { getDocumentProxy } from 'unpdf'
import type { DocumentText } from '../port/document-reader.ts'
import { toMemoryError, unreadableError, wrapUnreadable } from '../port/unreadable-error.ts'
import { TEXT_BYTES_MAX } from './limit-text.ts'

const PAGES_MAX = 2000

/** Unpacked bytes of one stream, and of all streams of a file. Pages have some 100 KiB; maps and drawings a few MiB. */
const STREAM_BYTES_MAX = 48 * 1024 * 1024
const BYTES_MAX = 512 * 1024 * 1024

/** Filters of one stream that are applied one after the other. */
const FILTERS_MAX = 8

/** The dictionary of a stream is searched for in this many bytes before it. */
const DICTIONARY_BYTES = 4096

/** Lines further apart than this, in heights of their letters, are two paragraphs. */
const PARAGRAPH_GAP = 1.7

/** Reads the text of a PDF file, page by page. Nothing is fetched, run or drawn. */
export async function readPdf(bytes: Uint8Array): Promise<DocumentText> {
  checkStreams(bytes)
  const pdf = await openPdf(bytes)
  try {
    const pages = Math.min(pdf.numPages, PAGES_MAX)
    const texts: string[] = []
    let length = 0
    let number = 1
    for (; number <= pages && length <= TEXT_BYTES_MAX; number += 1) {
      const text = await wrapUnreadable('it is a damaged PDF file', async () => {
        const page = await pdf.getPage(number)
        const { items } = await page.getTextContent()
        page.cleanup()
        return joinPageText(items.filter((item): item is typeof item & PageItem => 'str' in item))
      })
      if (text !== '') texts.push(text)
      length += text.length
    }
    if (texts.length === 0) throw unreadableError('it has no text: its pages may be scanned images')
    return { text: texts.join('\n\n'), cut: number <= pdf.numPages }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

/** Keeps pdf.js from looking for fonts and character tables in files or by fetch. */
const OFFLINE = {
  useSystemFonts: false,
  disableFontFace: true,
  useWorkerFetch: false,
  verbosity: 0,
  stopAtErrors: false
}

async function openPdf(bytes: Uint8Array) {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), OFFLINE)
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException'
    throw (
      toMemoryError(error) ??
      unreadableError(isLocked ? 'it is protected by a password' : 'it is a damaged PDF file', error)
    )
  }
}

/**
 * Checks how large the streams of a PDF file are that are compressed by Flate (ISO 32000-1, 7.3.8 and 7.4.4), once or several times: a stream
 * may unpack to a thousand times its size, and to a million times if it is compressed twice. Pictures are skipped, since they are not
 * read. Other filters and encrypted files are left to the memory limit.
 *
 * @throws UnreadableError if a stream or all of them are larger than those of any document.
 */
function checkStreams(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let left = BYTES_MAX
  for (const stream of findPackedStreams(file)) left -= measureUnpacked(stream, left)
}

/** Finds the data between `stream` and `endstream` that begins as Flate does. */
function* findPackedStreams(file: Buffer): Generator<Buffer> {
  for (let at = file.indexOf('stream'); at !== -1; at = file.indexOf('stream', at)) {
    const from = findDataStart(file, at + 'stream'.length)
    const end = file.indexOf('endstream', from)
    const to = end === -1 ? file.length : end
    const data = file.subarray(from, to)
    if (isFlate(data) && !isPicture(file, at)) yield data
    at = to + 'endstream'.length
  }
}

function findDataStart(file: Buffer, at: number): number {
  if (file[at] === CR) return file[at + 1] === LF ? at + 2 : at + 1
  return file[at] === LF ? at + 1 : at
}

const LF = 0x0a
const CR = 0x0d

function isPicture(file: Buffer, at: number): boolean {
  const before = file.toString('latin1', Math.max(0, at - DICTIONARY_BYTES), at)
  return /\/Subtype\s*\/Image\b/.test(before.slice(before.lastIndexOf('obj')))
}

/** Returns the unpacked bytes of all levels together. A broken stream counts up to where it breaks. */
function measureUnpacked(packed: Buffer, left: number): number {
  let size = 0
  let data = packed
  for (let level = 0; isFlate(data); level++) {
    if (level === FILTERS_MAX) throw unreadableError('a part of it is compressed too many times')
    const unpacked = inflate(data, Math.min(STREAM_BYTES_MAX, left - size))
    if (unpacked === undefined) return size
    size += unpacked.length
    data = unpacked
  }
  return size
}

/** Checks whether data begins with the header of RFC 1950: method 8, and a number divisible by 31. */
function isFlate(data: Buffer): boolean {
  const [method = 0, flags = 0] = data
  return data.length > 2 && (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0
}

function inflate(data: Buffer, most: number): Buffer | undefined {
  if (most <= 0) throw tooLargeError(BYTES_MAX)
  try {
    return inflateSync(data, { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_BUFFER_TOO_LARGE') return undefined
    throw tooLargeError(most === STREAM_BYTES_MAX ? STREAM_BYTES_MAX : BYTES_MAX)
  }
}

function tooLargeError(most: number) {
  const what = most === STREAM_BYTES_MAX ? 'a part of it' : 'it'
  return unreadableError(`${what} is larger than ${most / 2 ** 20} MiB when unpacked`)
}

/** A text item on a page, as pdf.js returns it. `transform` ends with its position: x and y, which grows upwards. */
type PageItem = { str: string; hasEOL: boolean; height: number; width: number; transform: number[] }

/** Joins the lines of a page into paragraphs, in the order of the file, and words that are hyphenated at the end of a line. */
export function joinPageText(items: readonly PageItem[]): string {
  const parts: string[] = []
  let before: Line | undefined
  for (const line of joinLines(items)) {
    if (before !== undefined) parts.push(separateLines(before, line))
    const isWhole = before === undefined || !isHyphenated(before, line)
    parts.push(line.text)
    // The hyphen and the separator go.
    if (!isWhole) parts.splice(-3, 2, (parts.at(-3) ?? '').slice(0, -1))
    before = line
  }
  return parts.join('').trim()
}

type Line = { text: string; y: number; height: number }

function joinLines(items: readonly PageItem[]): Line[] {
  const lines: Line[] = []
  let line: Line | undefined
  for (const { str, hasEOL, height, transform } of items) {
    const y = transform[5] ?? 0
    if (line !== undefined && Math.abs(line.y - y) > Math.max(line.height, height) * 0.6 && str.trim() !== '') {
      lines.push(line)
      line = undefined
    }
    line ??= { text: '', y, height }
    line.text += str
    line.height = Math.max(line.height, height)
    if (!hasEOL) continue
    lines.push(line)
    line = undefined
  }
  if (line !== undefined) lines.push(line)
  return lines.map((one) => ({ ...one, text: one.text.replace(/\s+/g, ' ').trim() })).filter(({ text }) => text !== '')
}

/** Returns the separator between two lines. */
function separateLines(before: Line, line: Line): string {
  if (isApart(before, line)) return '\n\n'
  return /^([-*•–]|\d{1,3}[.)])\s/.test(line.text) ? '\n' : ' '
}

function isApart(before: Line, line: Line): boolean {
  const gap = before.y - line.y
  const size = Math.max(line.height, before.height, 1)
  return gap < 0 || gap > size * PARAGRAPH_GAP || Math.abs(line.height - before.height) > size * 0.15
}

function isHyphenated(before: Line, line: Line): boolean {
  return !isApart(before, line) && /\p{L}-$/u.test(before.text.slice(-3)) && /^\p{Ll}/u.test(line.text)
}
