import { Buffer } from 'node:buffer'

/** A part of a message in the tree of `format=full`, before it is converted to JSON. */
export type MimePart = {
  /** Such as `0.1`; empty for the message itself. */
  partId: string
  mimeType: string
  filename: string
  headers: readonly { name: string; value: string }[]
  /** Decoded; empty if it consists of parts. */
  bytes: Uint8Array
  parts: readonly MimePart[]
}

const DEPTH_MAX = 20
const PARTS_MAX = 200

/** Parses the parts of a message. Anything malformed becomes a text part. */
export function parseMime(raw: Uint8Array): MimePart {
  return parsePart(Buffer.from(raw).toString('latin1'), '', 0)
}

/** Lists a part and all parts below it. */
export function allParts(part: MimePart): MimePart[] {
  return [part, ...part.parts.flatMap(allParts)]
}

/** Returns the value of a header; the first one if there are several. */
export function getHeader({ headers }: Pick<MimePart, 'headers'>, name: string): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name)?.value
}

function parsePart(text: string, partId: string, depth: number): MimePart {
  const { headers, body } = split(text)
  const type = getHeader({ headers }, 'content-type') ?? 'text/plain'
  const disposition = getHeader({ headers }, 'content-disposition') ?? ''
  const mimeType = /^\s*([\w.+-]+\/[\w.+-]+)/.exec(type)?.[1]?.toLowerCase() ?? 'text/plain'
  const filename = readParameter(disposition, 'filename') ?? readParameter(type, 'name') ?? ''
  const boundary = mimeType.startsWith('multipart/') ? readParameter(type, 'boundary') : undefined
  const made = { partId, mimeType, filename, headers }
  if (boundary === undefined || depth >= DEPTH_MAX)
    return { ...made, bytes: decodeBody(body, getHeader({ headers }, 'content-transfer-encoding')), parts: [] }
  const parts = splitParts(body, boundary).map((piece, at) =>
    parsePart(piece, partId === '' ? `${at}` : `${partId}.${at}`, depth + 1)
  )
  return { ...made, bytes: new Uint8Array(), parts }
}

function split(text: string): { headers: MimePart['headers']; body: string } {
  const end = /\r?\n\r?\n/.exec(text)
  const head = end === null ? text : text.slice(0, end.index)
  const body = end === null ? '' : text.slice(end.index + end[0].length)
  if (/^\r?\n/.test(text)) return { headers: [], body: text.replace(/^\r?\n/, '') }
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const headers = lines.flatMap((line) => {
    const found = /^([!-9;-~]{1,100}):[ \t]*(.*)$/.exec(line)
    return found === null ? [] : [{ name: found[1] ?? '', value: decodeWords(found[2] ?? '') }]
  })
  return { headers, body }
}

/** Splits a multipart at its boundaries (RFC 2046 section 5.1.1). An unclosed one ends with the message. */
function splitParts(body: string, boundary: string): string[] {
  const pieces: string[][] = []
  for (const line of body.split('\n')) {
    const bare = line.replace(/[ \t\r]+$/, '')
    if (bare === `--${boundary}--`) break
    if (bare === `--${boundary}`) {
      if (pieces.length === PARTS_MAX) break
      pieces.push([])
    } else pieces.at(-1)?.push(line)
  }
  return pieces.map((lines) => lines.join('\n').replace(/\r$/, ''))
}

/** Returns a parameter of a structured header, also in the format of RFC 2231, or undefined if it is absent. */
export function readParameter(header: string, name: string): string | undefined {
  const extended = new RegExp(`;\\s*${name}\\*=[\\w-]*'[^']*'([^;\\s]+)`, 'i').exec(header)?.[1]
  if (extended !== undefined) return decodePercent(extended)
  const found = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^;\\s]+))`, 'i').exec(header)
  return found?.[1] ?? found?.[2]
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Decodes the encoded words of a header (RFC 2047), and treats 8-bit text as UTF-8. */
function decodeWords(text: string): string {
  const plain = decodeText(Buffer.from(text, 'latin1'), 'utf-8')
  return plain
    .replace(/(=\?[\w-]+\?[bq]\?[^?\s]*\?=)\s+(?==\?)/gi, '$1')
    .replace(/=\?[\w-]+\?[bq]\?[^?\s]*\?=/gi, decodeWord)
}

function decodeWord(whole: string): string {
  const [, charset = '', way = '', word = ''] = whole.split('?')
  return decodeText(/b/i.test(way) ? Buffer.from(word, 'base64') : decodeQuoted(word.replaceAll('_', ' ')), charset)
}

/** Decodes the transfer encoding of a body whose characters represent bytes. */
function decodeBody(body: string, encoding = ''): Uint8Array {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64')
  if (/quoted-printable/i.test(encoding)) return decodeQuoted(body.replace(/[ \t]*=[ \t]*\r?\n/g, ''))
  return Buffer.from(body, 'latin1')
}

function decodeQuoted(text: string): Buffer {
  const plain = text.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(plain, 'latin1')
}

/** Decodes bytes to text. An unknown charset is treated as UTF-8. */
export function decodeText(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

type MailFile = { name: string; type: string; bytes: Uint8Array }

/** The parts of a message to compose. Names and addresses are written as `Ada Moreau <ada@example.com>`. */
type Draft = {
  from: string
  to: readonly string[]
  cc?: readonly string[]
  subject: string
  /** Milliseconds since 1970. */
  at: number
  /** With angle brackets. */
  messageId: string
  references?: readonly string[]
  text?: string
  html?: string
  files?: readonly MailFile[]
  /** Further headers, such as those of a mailing list. */
  headers?: Readonly<Record<string, string>>
}

/** Composes an RFC 5322 message with MIME. */
export function compose(draft: Draft): Uint8Array {
  const { from, to, cc = [], subject, at, messageId, references = [], headers = {} } = draft
  const answered = references.at(-1)
  const lines = [
    `From: ${address(from)}`,
    `To: ${to.map(address).join(',\r\n ')}`,
    ...(cc.length > 0 ? [`Cc: ${cc.map(address).join(',\r\n ')}`] : []),
    `Subject: ${word(subject)}`,
    `Date: ${new Date(at).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: ${messageId}`,
    ...(answered === undefined ? [] : [`In-Reply-To: ${answered}`, `References: ${references.join('\r\n ')}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'MIME-Version: 1.0',
    ...composeBody(draft)
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n`)
}

function composeBody({ text, html, files = [] }: Draft): string[] {
  const texts = [
    ...(text !== undefined || html === undefined ? [textPart('plain', text ?? '')] : []),
    ...(html === undefined ? [] : [textPart('html', html)])
  ]
  const body = texts.length === 1 ? (texts[0] ?? []) : multipart('alternative', texts)
  return files.length === 0 ? body : multipart('mixed', [body, ...files.map(filePart)])
}

/**
 * Builds a multipart. Its boundary contains `=_`, which occurs at the start of a line neither in the 7-bit text here
 * nor in base64.
 */
function multipart(kind: string, parts: readonly (readonly string[])[]): string[] {
  const boundary = `=_${kind}_${parts.length}`
  return [
    `Content-Type: multipart/${kind}; boundary="${boundary}"`,
    '',
    ...parts.flatMap((part) => [`--${boundary}`, ...part]),
    `--${boundary}--`
  ]
}

function textPart(kind: 'plain' | 'html', text: string): string[] {
  const isPlain =
    /^[\n -~]*$/.test(text) && text.split('\n').every((line) => line.length < 990 && !line.startsWith('--='))
  return [
    `Content-Type: text/${kind}; charset=UTF-8`,
    `Content-Transfer-Encoding: ${isPlain ? '7bit' : 'base64'}`,
    '',
    ...(isPlain ? text.split('\n') : base64(Buffer.from(text)))
  ]
}

function filePart({ name, type, bytes }: MailFile): string[] {
  return [
    `Content-Type: ${type}`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replaceAll("'", '%27')}`,
    '',
    ...base64(bytes)
  ]
}

function base64(bytes: Uint8Array): string[] {
  return (
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  )
}

function address(said: string): string {
  const [, name, mail] = /^(.*?)\s*<([^<>]*)>$/s.exec(said) ?? []
  if (name === undefined || mail === undefined || name === '') return said
  return `${/^[\w .]*$/.test(name) ? name : word(name)} <${mail}>`
}

/**
 * Encodes non-ASCII text of a header as encoded words (RFC 2047), each of complete characters and at most 75 characters
 * long.
 */
function word(text: string): string {
  if (/^[ -<>-~]*$/.test(text) && text.length < 900) return text
  const pieces: string[] = ['']
  for (const letter of text.toWellFormed()) {
    const longer = `${pieces.at(-1)}${letter}`
    if (Buffer.byteLength(longer) > 42) pieces.push(letter)
    else pieces[pieces.length - 1] = longer
  }
  return pieces.map((piece) => `=?UTF-8?B?${Buffer.from(piece).toString('base64')}?=`).join('\r\n ')
}
