import { Buffer } from 'node:buffer'
import PostalMime, { type Address, type Email } from 'postal-mime'
import { restoreWindows1252 } from '../formats/decode-text.ts'
import type { ForwardedMail, Mail, MailAddress, MailFile, MailOptions } from '../port/document-reader.ts'
import { UnreadableError, unreadableError } from '../port/unreadable-error.ts'
import { extractOwnWords } from './extract-own-words.ts'
import { readBodyText } from './read-body-text.ts'
import { readCalendar } from './read-calendar.ts'
import { isAttachedFile, isCalendar } from './to-file-item.ts'

/** Limits of what is read of one message. Lengths in UTF-16 code units. */
const TEXT_LENGTH_MAX = 1024 * 1024
const NAME_LENGTH_MAX = 16 * 1024
const ADDRESSES_MAX = 200
const REFERENCES_MAX = 1000
const ATTACHMENTS_MAX = 100
const FILE_NAME_LENGTH_MAX = 1024

/** Parsing takes about 10 us for each line. An attachment of 25 MiB has 350,000. */
const LINES_MAX = 400_000

/** At most this much of the headers is examined. */
const HEAD_BYTES_MAX = 1024 * 1024

/** Levels of parts, bytes of all headers, levels of messages within messages that are read as text, and their number. */
const PARSING = { maxNestingDepth: 100, maxHeadersSize: 1024 * 1024, forceRfc822Attachments: true } as const
const MESSAGES_DEPTH_MAX = 3
const MESSAGES_MAX = 20

/**
 * Reads a message of RFC 5322 and MIME: its own words, its sender, its receivers and the messages that it answers.
 *
 * @throws UnreadableError if it cannot be parsed.
 */
export async function readMail(bytes: Uint8Array, _signal?: AbortSignal, options: MailOptions = {}): Promise<Mail> {
  const { date: _, ...mail } = await readMessage(bytes, options, 0)
  return mail
}

/** `date` is that of the headers. */
type ReadMessage = Mail & { date?: string }

async function readMessage(bytes: Uint8Array, options: MailOptions, depth: number): Promise<ReadMessage> {
  const { whole, end } = limitLines(bytes)
  const email = await parseMail(decodeHeaders(bytes.subarray(0, end)))
  const subject = toHeaderLine(email.subject ?? '')
  const references = listReferences(email)
  const body = readBodyText(email)
  const text = extractOwnWords(body.text, { subject, isReply: references.length > 0 })
  const [from] = toAddresses([email.from, email.sender])
  const messageId = findMessageIds(email.messageId)[0]
  const events = readEvents(email)
  const inner = await readInnerMails(email, options, depth)
  const offset = findOffset(email)
  return {
    ...(subject !== '' && { subject }),
    ...(from && { from }),
    to: toAddresses([...(email.to ?? []), ...(email.cc ?? [])]).slice(0, ADDRESSES_MAX),
    ...(messageId !== undefined && { messageId }),
    references,
    text: text.slice(0, TEXT_LENGTH_MAX).toWellFormed(),
    attachments: listAttachmentNames(email),
    ...(options.withFiles && { files: [...listFiles(email), ...inner.flatMap(({ files = [] }) => files)] }),
    ...(events !== '' && { events }),
    ...(inner.length > 0 && {
      forwarded: inner.flatMap(({ forwarded = [], ...one }) => [toForwarded(one), ...forwarded])
    }),
    ...(offset !== undefined && { offset }),
    ...(email.date !== undefined && { date: email.date }),
    cut: !whole || body.cut || text.length > TEXT_LENGTH_MAX || inner.some(({ cut }) => cut)
  }
}

/** Returns where the lines end that are parsed. */
function limitLines(bytes: Uint8Array): { whole: boolean; end: number } {
  let end = 0
  for (let lines = 0; lines < LINES_MAX; lines++) {
    const at = bytes.indexOf(LF, end)
    if (at === -1) return { whole: true, end: bytes.length }
    end = at + 1
  }
  return { whole: false, end }
}

const LF = 0x0a

/**
 * Converts the headers of a message to UTF-8. Letters beyond ASCII are allowed there only in UTF-8 (RFC 6532), but old programs
 * wrote them in another charset, mostly one like windows-1252: decoded as UTF-8 they would be lost.
 */
function decodeHeaders(bytes: Uint8Array): Uint8Array {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const head = whole.subarray(0, Math.min(findHeadEnd(whole), HEAD_BYTES_MAX))
  if (isUtf8(head)) return bytes
  return Buffer.concat([Buffer.from(head.toString('latin1')), whole.subarray(head.length)])
}

function findHeadEnd(bytes: Buffer): number {
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

async function parseMail(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, PARSING)
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : 'it is malformed'
    throw unreadableError(`the message cannot be read: ${why}`, error)
  }
}

/** Lists the messages that it answers, oldest first: all its references, then the one in `In-Reply-To`, if that is another. */
function listReferences({ references, inReplyTo }: Email): string[] {
  return [...new Set([...findMessageIds(references), ...findMessageIds(inReplyTo)])].slice(-REFERENCES_MAX)
}

function findMessageIds(header = ''): string[] {
  const ids = header.match(/<[^<>\s]{1,998}>/g) ?? []
  return ids.map((id) => id.slice(1, -1).toWellFormed())
}

function toAddresses(found: readonly (Address | undefined)[]): MailAddress[] {
  return found.flatMap((one) => {
    if (one === undefined) return []
    if (one.group !== undefined) return one.group.flatMap(toAddress)
    return toAddress(one)
  })
}

function toAddress({ name, address }: { name: string; address: string }): MailAddress[] {
  const said = toHeaderLine(name)
  const at = toHeaderLine(address)
  if (said === '' && at === '') return []
  return [{ ...(said !== '' && { name: said }), address: at }]
}

/** Reads the calendar objects of a message. Programs often send one twice, as an alternative text and as a file. */
function readEvents({ attachments }: Email): string {
  const method = attachments.find((one) => one.method !== undefined)?.method
  const texts = attachments.flatMap(({ filename, mimeType, content }) =>
    isCalendar({ name: filename ?? '', type: mimeType })
      ? readCalendar(Buffer.from(toBytes(content)).toString(), method)
      : []
  )
  return [...new Set(texts)]
    .filter((text) => text !== '')
    .join('\n\n')
    .slice(0, NAME_LENGTH_MAX)
    .toWellFormed()
}

/** Reads the messages that are parts of a message. One that is attached as a file is a file, and a damaged one is none. */
async function readInnerMails(email: Email, options: MailOptions, depth: number): Promise<ReadMessage[]> {
  const parts = depth < MESSAGES_DEPTH_MAX ? email.attachments.filter(isInnerMail).slice(0, MESSAGES_MAX) : []
  const mails: ReadMessage[] = []
  for (const { content } of parts) {
    try {
      mails.push(await readMessage(toBytes(content), options, depth + 1))
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error
    }
  }
  return mails
}

function isInnerMail({ mimeType, disposition }: Email['attachments'][number]): boolean {
  return mimeType === 'message/rfc822' && disposition !== 'attachment'
}

/** Converts a message that is a part of another one. Its calendar objects belong to its text. */
function toForwarded({ subject, from, to, text, events, date }: ReadMessage): ForwardedMail {
  const at = Date.parse(date ?? '')
  return {
    ...(subject !== undefined && { subject }),
    ...(from !== undefined && { from }),
    to,
    text: [text, events ?? ''].filter((part) => part !== '').join('\n\n'),
    ...(date !== undefined && { date: toHeaderLine(date) }),
    ...(!Number.isNaN(at) && { at })
  }
}

function toBytes(content: Email['attachments'][number]['content']): Uint8Array<ArrayBuffer> {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
}

/** Returns the zone of the `Date` header. */
function findOffset({ headers }: Email): string | undefined {
  return /[+-]\d{4}\b/.exec(headers.find(({ key }) => key === 'date')?.value ?? '')?.[0]
}

/** Lists the names of attached files, without pictures that are shown within the text, and without inner messages. */
function listAttachmentNames({ attachments }: Email): string[] {
  return attachments
    .filter(
      (one) => !one.related && !(one.disposition === 'inline' && /^image\//.test(one.mimeType)) && !isInnerMail(one)
    )
    .flatMap(({ filename }) => toHeaderLine(filename ?? '').slice(0, FILE_NAME_LENGTH_MAX) || [])
    .slice(0, ATTACHMENTS_MAX)
}

function listFiles({ attachments }: Email): MailFile[] {
  return attachments.flatMap((one) => {
    const { mimeType: type, disposition, contentId, content } = one
    const name = one.filename ?? ''
    const isInline = disposition === 'inline' || contentId !== undefined
    if (isInnerMail(one) || !isAttachedFile({ name, type, isInline })) return []
    return [{ name, type, bytes: toBytes(content) }]
  })
}

/** Converts the value of a header to one line of bounded length. */
function toHeaderLine(text: string): string {
  return restoreWindows1252(text.slice(0, NAME_LENGTH_MAX))
    .replace(/[\r\n\t]+/g, ' ')
    .trim()
    .toWellFormed()
}
