import { Buffer } from 'node:buffer'
import type { StoredMessage } from './content.ts'
import { readPageToken, writePageToken } from './mail-call.ts'
import { allParts, decodeText, getHeader, type MimePart, parseMime, readParameter } from './mime.ts'

export const FORMATS = ['minimal', 'full', 'metadata', 'raw'] as const

export type Format = (typeof FORMATS)[number]

/** Builds the reply of users.messages.get in a format. `named` are the headers for `metadata`; empty for all. */
export function messageView(message: StoredMessage, format: Format, named: readonly string[]): Record<string, unknown> {
  const tree = parseMime(message.raw)
  const minimal = {
    id: message.id,
    threadId: message.threadId,
    labelIds: message.labels,
    snippet: toSnippet(tree),
    sizeEstimate: message.raw.length,
    historyId: String(message.historyId),
    internalDate: String(message.at)
  }
  if (format === 'minimal') return minimal
  if (format === 'raw') return { ...minimal, raw: Buffer.from(message.raw).toString('base64url') }
  if (format === 'full') return { ...minimal, payload: partView(message.id, tree) }
  const names = new Set(named.map((name) => name.toLowerCase()))
  const headers = tree.headers.filter(({ name }) => names.size === 0 || names.has(name.toLowerCase()))
  return { ...minimal, payload: { mimeType: tree.mimeType, headers } }
}

/** Returns the bytes of an attachment, or undefined if its id does not belong to this message. */
export function findAttachment(message: StoredMessage, attachmentId: string): Uint8Array | undefined {
  const [messageId, partId] = readPageToken('attachment', attachmentId) ?? []
  if (messageId !== message.id || partId === undefined) return undefined
  return allParts(parseMime(message.raw)).find((part) => part.partId === partId && part.filename !== '')?.bytes
}

/** Returns the text for searching: that of all parts, HTML without its tags. */
export function readWords(tree: MimePart): string {
  return allParts(tree)
    .filter(({ mimeType, filename }) => mimeType.startsWith('text/') && filename === '')
    .map((part) => {
      const text = decodeText(part.bytes, readParameter(getHeader(part, 'content-type') ?? '', 'charset') ?? 'utf-8')
      return part.mimeType === 'text/html' ? text.replace(/<style.*?<\/style>/gs, ' ').replace(/<[^>]*>/g, ' ') : text
    })
    .join('\n')
}

const SNIPPET_LENGTH = 120

function toSnippet(tree: MimePart): string {
  return readWords(tree).replace(/\s+/g, ' ').trim().slice(0, SNIPPET_LENGTH).toWellFormed()
}

/**
 * Builds the view of a part. An attachment has an id to fetch it by instead of its content
 * (users.messages.attachments.get).
 */
function partView(messageId: string, part: MimePart): Record<string, unknown> {
  const { partId, mimeType, filename, headers, bytes, parts } = part
  const isFile = filename !== ''
  const body = {
    size: bytes.length,
    ...(isFile && { attachmentId: writePageToken('attachment', [messageId, partId]) }),
    ...(!isFile && bytes.length > 0 && { data: Buffer.from(bytes).toString('base64url') })
  }
  return {
    partId,
    mimeType,
    filename,
    headers,
    body,
    ...(parts.length > 0 && { parts: parts.map((child) => partView(messageId, child)) })
  }
}
