import { Buffer } from 'node:buffer'
import { toMailParts } from '../../../src/documents/mail/to-mail-parts.ts'
import { ask } from '../http/ask.ts'
import type { ItemContent, LookedUp, SyncCall } from '../port/provider.ts'
import { ProviderFailure, unlessGone } from '../port/provider-failure.ts'
import { FACTS } from './facts.ts'
import { parseReply, toFailure } from './failures.ts'
import { getMessageVersion, isWanted, toSeenMessage, toTime } from './message-item.ts'
import { findAttachments, parseAttachmentId, readAttachment, toSeenAttachment } from './read-attachment.ts'
import { rebuildMail } from './rebuild-mail.ts'
import { getMessageState, getMessageTree } from './requests.ts'
import { type MessageState, type PartOfMessage, RawMessage } from './wire.ts'

/**
 * The maximum reply in base64url, which is about 9 MiB of mail. Larger messages have large attachments, which are read
 * by themselves, so only their texts are requested. Gmail accepts up to 50 MB.
 */
const RAW_REPLY_BYTES_MAX = 12 * 1024 * 1024

/**
 * Reads a message: its text, sender and the time at Gmail, with its thread as conversation, then what it forwards. Its
 * attachments are attached items. A draft, or a message in trash or spam, counts as gone.
 */
export async function read(call: SyncCall, itemId: string): Promise<ItemContent> {
  const attachment = parseAttachmentId(itemId)
  if (attachment !== undefined) return await readAttachment(call, attachment)
  const { state, bytes, payload } = await fetchMessage(call, itemId)
  if (!isWanted(state.labelIds)) throw new ProviderFailure('item_gone', 'the message is a draft, or in trash or spam')
  const mail = await call.documents.readMail(bytes, call.signal)
  const { threadId, internalDate, labelIds } = state
  const parts = toMailParts(mail, { conversation: threadId, at: toTime(internalDate), sent: labelIds.includes('SENT') })
  return {
    id: itemId,
    version: getMessageVersion(call),
    ...(mail.subject && { title: mail.subject }),
    url: `https://mail.google.com/mail/#all/${encodeURIComponent(itemId)}`,
    parts,
    ...(mail.cut && { cut: 'only its beginning was read: it exceeds the limit of text or levels of a mail' }),
    ...(call.reads?.attachmentBytesMax !== undefined && {
      attached:
        mail.attachments.length === 0 && mail.forwarded === undefined
          ? []
          : await findAttachments(call, itemId, payload)
    })
  }
}

const { service } = FACTS

/** A message that is too large to fetch as a whole has the tree of its parts. */
type FetchedMessage = { state: MessageState; bytes: Uint8Array; payload?: PartOfMessage }

async function fetchMessage(call: SyncCall, id: string): Promise<FetchedMessage> {
  const asked = { service, method: 'GET', path: `/gmail/v1/users/me/messages/${encodeURIComponent(id)}` } as const
  const about = { what: 'a message', missing: 'item_gone' } as const
  const replied = await ask(call, { ...asked, query: { format: 'raw' }, bytesMax: RAW_REPLY_BYTES_MAX }).catch(
    ifTooLarge
  )
  if (replied !== undefined) {
    if (replied.status === 400) throw toIdFailure(toFailure(replied, about))
    const { raw, ...state } = parseReply(replied, RawMessage, about)
    return { state, bytes: Buffer.from(raw, 'base64url') }
  }
  const { payload, ...state } = await getMessageTree(call, id)
  return { state, bytes: rebuildMail(payload), payload }
}

/** Returns undefined for a reply over the limit. */
function ifTooLarge(error: unknown): undefined {
  if (error instanceof ProviderFailure && error.kind === 'item_permanent') return undefined
  throw error
}

/** Converts the failure of an id that Gmail does not accept to a permanent one. */
function toIdFailure(failure: ProviderFailure): ProviderFailure {
  return failure.kind === 'contract_broken' ? new ProviderFailure('item_permanent', failure.message) : failure
}

/** See `Provider.lookUp`. A draft, or a message in trash or spam, counts as gone. Costs 5 quota units. */
export async function lookUp(call: SyncCall, { id }: { id: string }): Promise<LookedUp> {
  const attachment = parseAttachmentId(id)
  if (attachment !== undefined && call.reads?.attachmentBytesMax === undefined) return 'absent'
  const state = await unlessGone(getMessageState(call, attachment?.messageId ?? id, 'a message'))
  if (state === undefined || !isWanted(state.labelIds)) return 'absent'
  return attachment === undefined ? toSeenMessage(id, call) : toSeenAttachment(attachment)
}
