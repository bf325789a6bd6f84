import { Buffer } from 'node:buffer'
import { ProviderFailure } from '../port/provider-failure.ts'
import { PartOfMessage } from './wire.ts'

/** Limits on the parts visited and the texts used of a message that was returned as a tree of parts. */
const PARTS_MAX = 1000
const TEXTS_MAX = 50

/**
 * Builds an RFC 5322 message from the tree of one that is too large to fetch: its headers, its texts, and the names of
 * its attachments.
 *
 * @throws ProviderFailure `contract_broken` if the tree is invalid.
 */
export function rebuildMail(payload: PartOfMessage): Uint8Array {
  const parts = collectLeaves(payload)
  const texts = parts.filter(isText).slice(0, TEXTS_MAX)
  const files = parts.filter((part) => !isText(part) && part.filename !== '')
  const headers = payload.headers.filter(({ name }) => KEPT.has(name.toLowerCase())).map(toHeaderLine)
  // The texts of a message are usually two versions of the same content, plain and HTML.
  const alternatives = [
    `Content-Type: multipart/alternative; boundary="${INNER}"`,
    '',
    ...texts.flatMap((part) => [`--${INNER}`, ...toTextLines(part)]),
    `--${INNER}--`
  ]
  const lines = [
    ...headers,
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${OUTER}"`,
    '',
    `--${OUTER}`,
    ...alternatives,
    ...files.flatMap((part) => [`--${OUTER}`, ...toFileLines(part)]),
    `--${OUTER}--`,
    ''
  ]
  return Buffer.from(lines.join('\r\n'), 'utf8')
}

/** Boundaries that cannot occur in the parts: texts are in base64, and names are encoded. */
const OUTER = 'memctl-whole'
const INNER = 'memctl-texts'

const KEPT: ReadonlySet<string> = new Set([
  'from',
  'to',
  'cc',
  'subject',
  'date',
  'message-id',
  'in-reply-to',
  'references'
])

/** Lists the parts of a message that contain no others. An attached message is one part. */
export function collectLeaves(root: PartOfMessage): PartOfMessage[] {
  const leaves: PartOfMessage[] = []
  const open: unknown[] = [root]
  for (let seen = 0; seen < PARTS_MAX; seen++) {
    if (open.length === 0) break
    const part = parsePart(open.shift())
    if (part.parts.length === 0 || isAttachedMessage(part)) leaves.push(part)
    else open.unshift(...part.parts.slice(0, PARTS_MAX))
  }
  return leaves
}

function isAttachedMessage(part: PartOfMessage): boolean {
  return (
    /^message\/rfc822$/i.test(part.mimeType) && /^\s*attachment/i.test(findHeader(part, 'content-disposition') ?? '')
  )
}

/** Returns the value of a part's header. `name` is in lower case. */
export function findHeader({ headers }: Pick<PartOfMessage, 'headers'>, name: string): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name)?.value
}

function parsePart(value: unknown): PartOfMessage {
  const part = PartOfMessage.safeParse(value)
  if (part.success) return part.data
  throw new ProviderFailure('contract_broken', 'a part of a message does not match the documentation of the provider')
}

function isText({ mimeType, filename, body }: PartOfMessage): boolean {
  return filename === '' && /^text\/(plain|html|calendar)$/i.test(mimeType) && body.data !== undefined
}

function toHeaderLine({ name, value }: { name: string; value: string }): string {
  return `${name}: ${value.replace(/[\r\n]+/g, ' ')}`
}

function toTextLines({ mimeType, headers, body }: PartOfMessage): string[] {
  const bytes = Buffer.from(body.data ?? '', 'base64url')
  return [
    `Content-Type: ${mimeType}; charset=${findCharset(bytes, headers)}`,
    'Content-Transfer-Encoding: base64',
    '',
    ...(bytes.toString('base64').match(/.{1,76}/g) ?? [])
  ]
}

/**
 * Returns the charset of a part. Gmail has decoded the transfer encoding. Whether it also converts to UTF-8 is
 * undocumented, although the part's header keeps the original charset, so valid UTF-8 is treated as such.
 */
function findCharset(bytes: Uint8Array, headers: PartOfMessage['headers']): string {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return 'utf-8'
  } catch {
    const type = findHeader({ headers }, 'content-type') ?? ''
    return /charset="?([\w.:-]{1,40})/i.exec(type)?.[1] ?? 'windows-1252'
  }
}

function toFileLines({ mimeType, filename }: PartOfMessage): string[] {
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) ? mimeType : 'application/octet-stream'
  return [
    `Content-Type: ${type}`,
    `Content-Disposition: attachment; filename*=UTF-8''${encodeURIComponent(filename.slice(0, 255).toWellFormed()).replace(/['()*]/g, '_')}`,
    '',
    ''
  ]
}
