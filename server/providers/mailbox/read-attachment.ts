import { Buffer } from 'node:buffer'
import { chooseDocumentType, type DocumentChoice } from '../../../src/documents/choose-document-type.ts'
import {
  ATTACHED_FILES_MAX,
  isAttachedFile,
  TOO_MANY_FILES,
  toFileItem
} from '../../../src/documents/mail/to-file-item.ts'
import { CUT_DOCUMENT, FILE_BYTES_MAX } from '../../../src/documents/port/document-reader.ts'
import type { ItemContent, SeenItem, SyncCall } from '../port/provider.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { isWanted, toTime } from './message-item.ts'
import { collectLeaves, findHeader } from './rebuild-mail.ts'
import { getAttachment, getMessageTree } from './requests.ts'
import type { PartOfMessage } from './wire.ts'

/** An attachment is named by its message and the number of its part, because Gmail's own ids change. */
type AttachmentName = { messageId: string; partId: string }

/** The version of all attachments, which never change. */
const ATTACHMENT_VERSION = 'file-1'

/** Parses the item id of an attachment. Returns undefined for that of a message. */
export function parseAttachmentId(itemId: string): AttachmentName | undefined {
  const [, messageId, partId] = /^(\w+)\/([\w.]*)$/.exec(itemId) ?? []
  return messageId === undefined || partId === undefined ? undefined : { messageId, partId }
}

function toAttachmentId({ messageId, partId }: AttachmentName): string {
  return `${messageId}/${partId}`
}

/**
 * Lists the attachments of a message as items, with the reason of those that are not read.
 *
 * @throws ProviderFailure
 */
export async function findAttachments(
  call: SyncCall,
  messageId: string,
  known: PartOfMessage | undefined
): Promise<SeenItem[]> {
  const payload = known ?? (await getMessageTree(call, messageId)).payload
  return listFiles(payload).map((part, place) => {
    const choice = place < ATTACHED_FILES_MAX ? chooseType(call, part) : { skipped: TOO_MANY_FILES }
    const seen = toSeenAttachment({ messageId, partId: part.partId })
    return { ...seen, title: part.filename, ...('skipped' in choice && choice) }
  })
}

/** Converts an attachment of a message that exists to an item of a page. */
export function toSeenAttachment(name: AttachmentName): SeenItem {
  return { id: toAttachmentId(name), version: ATTACHMENT_VERSION, place: name.messageId }
}

function listFiles(payload: PartOfMessage): PartOfMessage[] {
  return collectLeaves(payload).filter((part) => {
    const { filename: name, mimeType: type } = part
    const disposition = findHeader(part, 'content-disposition') ?? ''
    // The text of a message has such parts, even if they have a name.
    if (/^(text\/(plain|html)|message\/rfc822)$/i.test(type) && !/^\s*attachment/i.test(disposition)) return false
    const isInline = /^\s*inline/i.test(disposition) || findHeader(part, 'content-id') !== undefined
    return isAttachedFile({ name, type, isInline })
  })
}

/** Chooses the type as which an attachment is read, or returns why it is not read, as half a sentence. */
function chooseType({ reads }: SyncCall, { mimeType, filename, body }: PartOfMessage): DocumentChoice {
  const choice = chooseDocumentType({ mimeType, name: filename })
  const limit = getBytesMax(reads)
  if ('skipped' in choice || (body.size ?? 0) <= limit) return choice
  return { skipped: `it is larger than the limit of attachments, ${formatSize(limit)}` }
}

function getBytesMax(reads: SyncCall['reads']): number {
  return Math.min(reads?.attachmentBytesMax ?? 0, FILE_BYTES_MAX)
}

function formatSize(bytes: number): string {
  return bytes >= 2 ** 20
    ? `${Number((bytes / 2 ** 20).toFixed(1))} MiB`
    : `${Number((bytes / 2 ** 10).toFixed(1))} KiB`
}

/**
 * Reads an attachment as a document of the thread of its mail, which it names in its title.
 *
 * @throws ProviderFailure `item_gone` if the message is gone, or if attachments are no longer read.
 */
export async function readAttachment(call: SyncCall, name: AttachmentName): Promise<ItemContent> {
  const { messageId, partId } = name
  if (call.reads?.attachmentBytesMax === undefined)
    throw new ProviderFailure('item_gone', 'this server does not read attachments')
  const { payload, ...state } = await getMessageTree(call, messageId)
  const part = listFiles(payload).find((one) => one.partId === partId)
  if (!isWanted(state.labelIds) || part === undefined)
    throw new ProviderFailure('item_gone', 'the message with the attachment is gone')
  const choice = chooseType(call, part)
  if ('skipped' in choice) throw new ProviderFailure('item_permanent', choice.skipped)
  const found = await call.documents.readText(await fetchBytes(call, messageId, part), choice.type, call.signal)
  const subject = findHeader(payload, 'subject')
  const origin = { conversation: state.threadId, at: toTime(state.internalDate), subject }
  const url = `https://mail.google.com/mail/#all/${encodeURIComponent(messageId)}`
  return {
    ...toFileItem({ id: toAttachmentId(name), name: part.filename, url }, found, origin),
    version: ATTACHMENT_VERSION,
    ...(found.cut && { cut: CUT_DOCUMENT })
  }
}

async function fetchBytes(call: SyncCall, messageId: string, { body }: PartOfMessage): Promise<Uint8Array> {
  if (body.attachmentId === undefined && body.data === undefined)
    throw new ProviderFailure('item_permanent', 'Gmail does not return its bytes')
  if (body.attachmentId === undefined) return Buffer.from(body.data ?? '', 'base64url')
  return await getAttachment(call, { messageId, attachmentId: body.attachmentId, bytesMax: getBytesMax(call.reads) })
}
