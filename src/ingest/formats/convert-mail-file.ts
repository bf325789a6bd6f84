import { Buffer } from 'node:buffer'
import { decodeWords } from 'postal-mime'
import { chooseDocumentType } from '../../documents/choose-document-type.ts'
import { ATTACHED_FILES_MAX, toFileItem } from '../../documents/mail/to-file-item.ts'
import { toMailParts } from '../../documents/mail/to-mail-parts.ts'
import { FILE_BYTES_MAX, type Mail, type MailFile } from '../../documents/port/document-reader.ts'
import { UnreadableError } from '../../documents/port/unreadable-error.ts'
import { toLines } from '../lines/to-lines.ts'
import type { ZonedTime } from '../lines/zoned-time.ts'
import { readHead, readWhole, TreeError, type TreeFile, toLossReason } from '../port/file-tree.ts'
import type { FormatFacts, Given, Item } from '../port/format.ts'
import { findSkipReason, type LossReason } from '../port/losses.ts'
import { type MailHead, parseFromLine, parseMailTime, readMailHead } from './read-mail-head.ts'
import { splitMbox } from './split-mbox.ts'

/**
 * RFC 4155 (mbox, whose messages begin with a line such as `From ann@example.com Thu Jan  2 10:20:30 2025`), RFC 5322
 * (a message), and https://cr.yp.to/proto/maildir.html (Maildir).
 */
export const MAIL_FACTS: FormatFacts = {
  id: 'mail',
  name: 'mail',
  markers: [
    { path: /\.(mbox|mbx)$|(^|\/)[^./]+$/i, head: [/^\ufeff?From \S/, /^[!-9;-~]+: /m] },
    { path: /(^|\/)(cur|new)\/[^/]+$/, head: [/^[!-9;-~]+:[ \t]/, /^(From|Date|Subject|Message-ID|Received|To):/im] }
  ],
  general: /\.(eml|emlx)$/i,
  edits: 'none'
}

/** The ids of the messages that have been converted: Takeout and mail programs keep a message once for each label. */
export type SeenMails = Set<string>

export type MailFileType = 'mbox' | 'message' | 'settings'

/** Returns what a file of mail contains, or undefined if it is not mail. Only a file without an ending is read for it. */
export async function findMailType(file: TreeFile): Promise<MailFileType | undefined> {
  const { path } = file
  if (MAILDIR_SETTINGS.test(path)) return 'settings'
  if (/\.emlx?$/i.test(path) || /(^|\/)(cur|new)\/[^/]+$/.test(path)) return 'message'
  if (/\.(mbox|mbx)$/i.test(path)) return 'mbox'
  if (/\.[^/]*$/.test(path) || file.size === 0) return undefined
  return /^From \S+.*\d{4}\r?\n[!-9;-~]+:/.test(Buffer.from(await readHead(file, 2000)).toString('latin1'))
    ? 'mbox'
    : undefined
}

/** The files of a Maildir that are not messages: the lists of Dovecot and Courier, and messages that are being delivered. */
const MAILDIR_SETTINGS = /(^|\/)(tmp\/[^/]+|dovecot[\w.-]*|maildirfolder|subscriptions|courier\w*)$/

type Reading = { file: TreeFile; given: Given; seen: SeenMails }

/**
 * Converts a file of mail, as the mailbox connector does: the thread is the conversation, and quotes of earlier messages are
 * left out, and each attached file is an item of its own.
 */
export async function* convertMailFile(type: MailFileType, reading: Reading): AsyncGenerator<Item> {
  const { file } = reading
  const { path } = file
  if (type === 'settings') return yield { kind: 'file', path, leftOut: 'settings' }
  try {
    if (type === 'mbox') return yield* convertMbox(reading)
    const bytes = unwrapEmlx(path, await readWhole(file, FILE_BYTES_MAX))
    yield* await convertMessage({ bytes, from: '', cut: false }, reading)
  } catch (error) {
    if (!(error instanceof TreeError)) throw error
    yield { kind: type === 'mbox' ? 'file' : 'mail', path, leftOut: error.reason }
  }
}

async function* convertMbox(reading: Reading): AsyncGenerator<Item> {
  const { file, given } = reading
  let number = 0
  for await (const message of splitMbox(file.read())) {
    given.signal.throwIfAborted()
    if (message.from !== '') {
      number += 1
      yield* await convertMessage(message, reading)
    } else if (Buffer.from(message.bytes).toString('latin1').trim() !== '')
      yield { kind: 'file', path: file.path, leftOut: 'malformed' }
  }
  if (number === 0 && file.size === 0) yield { kind: 'file', path: file.path, leftOut: 'empty' }
}

/** A message of Apple Mail (`.emlx`) has its length in the first line, and properties at the end. */
function unwrapEmlx(path: string, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (!/\.emlx$/i.test(path)) return bytes
  const [line = '', digits] = /^\s*(\d{1,10})\s*\n/.exec(Buffer.from(bytes.subarray(0, 40)).toString('latin1')) ?? []
  return digits === undefined ? bytes : bytes.slice(line.length, line.length + Number(digits))
}

type Message = { bytes: Uint8Array<ArrayBuffer>; from: string; cut: boolean }

async function convertMessage({ bytes, from, cut }: Message, { file, given, seen }: Reading): Promise<Item[]> {
  const head = readMailHead(bytes)
  const messageId = head.get('message-id')
  const path = messageId === undefined ? file.path : `${file.path} ${messageId.slice(0, 200)}`
  const reason = bytes.length === 0 ? 'empty' : findUnwanted(file.path, head)
  if (reason !== undefined) return [{ kind: 'mail', path, leftOut: reason }]
  if (messageId !== undefined) {
    const key = [messageId, head.get('date'), head.get('subject')].join('\n').slice(0, 500)
    if (seen.has(key)) return [{ kind: 'mail', path, merged: true }]
    // A copy, since a part of a string keeps all of it in memory.
    seen.add(Buffer.from(key).toString())
  }
  try {
    const mail = await given.documents.readMail(bytes, given.signal, { withFiles: true })
    return await toItems(mail, { head, from, path, cut, file, given })
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    return [{ kind: 'mail', path, leftOut: 'damaged' }]
  }
}

/**
 * The labels of Google Takeout that the connector leaves out too. Takeout writes them in the language of the account; these
 * are those of the largest languages (the names in Gmail's own menu).
 */
const UNWANTED_LABELS: Readonly<Record<string, 'draft' | 'spam' | 'trash'>> = {
  draft: 'draft',
  drafts: 'draft',
  entwürfe: 'draft',
  brouillons: 'draft',
  borradores: 'draft',
  bozze: 'draft',
  rascunhos: 'draft',
  concepten: 'draft',
  spam: 'spam',
  'correo no deseado': 'spam',
  trash: 'trash',
  bin: 'trash',
  papierkorb: 'trash',
  corbeille: 'trash',
  papelera: 'trash',
  cestino: 'trash',
  lixeira: 'trash',
  prullenbak: 'trash'
}

/** Returns why a mailbox does not count a message as mail: by its labels, or by the flags in the name of its file. */
function findUnwanted(path: string, head: MailHead): LossReason | undefined {
  const flags = /[:;!]2,([A-Za-z]*)$/.exec(path)?.[1] ?? ''
  if (flags.includes('T')) return 'trash'
  if (flags.includes('D')) return 'draft'
  const labels = readLabels(head)
  if (labels.includes('chat')) return 'system'
  return labels.map((label) => UNWANTED_LABELS[label]).find((reason) => reason !== undefined)
}

/** Reads the labels of Takeout, in lower case. */
function readLabels(head: MailHead): string[] {
  const labels = head.get('x-gmail-labels')
  if (labels === undefined) return []
  return decodeWords(labels)
    .split(',')
    .map((label) => label.replaceAll('"', '').trim().toLowerCase())
}

type MessageFacts = { head: MailHead; from: string; path: string; cut: boolean; file: TreeFile; given: Given }

async function toItems(mail: Mail, facts: MessageFacts): Promise<Item[]> {
  const { path, cut, file } = facts
  const gmail = readGmailIds(facts)
  const time = findTime(facts, gmail !== undefined)
  const root = mail.references[0] ?? mail.messageId
  const conversation = gmail?.thread ?? root ?? file.path
  const parts = toMailParts(mail, { conversation, at: time?.ms, sent: isSent(mail, facts) })
  const id = gmail?.message ?? mail.messageId ?? file.path
  const url = gmail?.message === undefined ? undefined : `https://mail.google.com/mail/#all/${gmail.message}`
  const title = mail.subject
  const lines =
    parts.length === 0
      ? []
      : toLines(
          { id, ...(title !== undefined && { title }), ...(url !== undefined && { url }), parts },
          {
            format: 'mail',
            id,
            path: file.path,
            namespace: 'mailbox',
            ...(time?.guessed && { more: { zone_guessed: true } })
          }
        )
  const files = await convertFiles(mail, { ...facts, id, url, conversation, at: time?.ms })
  const more = mail.attachments.length - files.filter(({ kind }) => kind === 'attachment').length
  return [
    lines.length === 0 ? { kind: 'mail', path, leftOut: 'empty' } : { kind: 'mail', path, lines },
    ...(mail.cut || cut ? [{ kind: 'rest', path, leftOut: 'truncated' } as const] : []),
    ...files,
    ...(more > 0 ? [{ kind: 'attachment', path, leftOut: 'attachment', count: more } as const] : [])
  ]
}

type FilesFacts = MessageFacts & { id: string; url: string | undefined; conversation: string; at: number | undefined }

/** Converts the attached files of a message with the same readers as the connectors. */
async function convertFiles({ files = [], subject }: Mail, facts: FilesFacts): Promise<Item[]> {
  const items: Item[] = []
  for (const file of files.slice(0, ATTACHED_FILES_MAX)) {
    facts.given.signal.throwIfAborted()
    items.push(...(await convertFile(file, subject, facts)))
  }
  return items
}

async function convertFile(
  { name, type, bytes }: MailFile,
  subject: string | undefined,
  { path, file, given, ...mail }: FilesFacts
): Promise<Item[]> {
  const about = { kind: 'attachment', path: `${path} ${name.slice(0, 200)}` } as const
  const choice = chooseDocumentType({ mimeType: type, name })
  if ('skipped' in choice) return [{ ...about, leftOut: findSkipReason(name) }]
  try {
    const found = await given.documents.readText(bytes, choice.type, given.signal)
    const id = `${mail.id}/${name}`
    const item = toFileItem({ id, name, url: mail.url }, found, { ...mail, subject })
    const lines = toLines(item, { format: 'mail', id, path: file.path, namespace: 'mailbox' })
    if (lines.length === 0) return [{ ...about, leftOut: 'empty' }]
    return [{ ...about, lines }, ...(found.cut ? [{ ...about, kind: 'rest', leftOut: 'truncated' } as const] : [])]
  } catch (error) {
    return [{ ...about, leftOut: toLossReason(error) }]
  }
}

/** Reads the ids in the headers that Takeout adds, and converts them to those of the Gmail API, which are hexadecimal. */
function readGmailIds({ head, from }: MessageFacts): { thread: string; message?: string } | undefined {
  const thread = head.get('x-gm-thrid') ?? ''
  if (!/^\d{1,20}$/.test(thread)) return undefined
  const message = /^From (\d{10,20})@/.exec(from)?.[1]
  return { thread: toGmailId(thread), ...(message !== undefined && { message: toGmailId(message) }) }
}

function toGmailId(digits: string): string {
  return BigInt(digits).toString(16).padStart(16, '0')
}

/** Gmail's time is that of the line before the message; elsewhere that line may be the time of a copy. */
function findTime({ head, from, given }: MessageFacts, isGmail: boolean): ZonedTime | undefined {
  const received = parseFromLine(from)
  if (isGmail && received !== undefined) return received
  return parseMailTime(head.get('date') ?? '', given.zone) ?? received
}

/** Labels and folders of the mail that the owner of the mailbox wrote. */
const SENT_NAMES: ReadonlySet<string> = new Set([
  'sent',
  'sent mail',
  'sent items',
  'sent messages',
  'gesendet',
  'messages envoyés',
  'enviados',
  'inviati',
  'posta inviata',
  'verzonden'
])

function isSent({ from }: Mail, { head, file, given }: MessageFacts): boolean {
  const me = given.me?.toLowerCase()
  if (me !== undefined && (from?.address.toLowerCase() === me || from?.name?.toLowerCase() === me)) return true
  const folders = file.path.toLowerCase().split(/[/.]/)
  return [...readLabels(head), ...folders].some((name) => SENT_NAMES.has(name))
}
