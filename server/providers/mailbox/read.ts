import { Buffer } from 'node:buffer'
import type { TextPart } from '../../../src/documents/chunking/draft-memories.ts'
import type { Mail } from '../../../src/documents/port/document-reader.ts'
import { ask } from '../http/ask.ts'
import type { ItemContent, LookedUp, SyncCall } from '../port/provider.ts'
import { ProviderFailure, unlessGone } from '../port/provider-failure.ts'
import { FACTS } from './facts.ts'
import { parseReply, toFailure } from './failures.ts'
import { isWanted, MESSAGE_VERSION, toSeenMessage } from './message-item.ts'
import { rebuildMail } from './rebuild-mail.ts'
import { getMessageState } from './requests.ts'
import { FullMessage, type MessageState, RawMessage } from './wire.ts'

/**
 * The maximum reply in base64url, which is about 9 MiB of mail. Larger messages have large attachments, which are not
 * read, so only their texts are requested. Gmail accepts up to 50 MB.
 */
const RAW_REPLY_BYTES_MAX = 12 * 1024 * 1024

/** Maximum number of recipients in the text. */
const RECIPIENTS_MAX = 20

/**
 * Reads a message as one part: its text, sender and the time at Gmail, with its thread as conversation. A draft, or a
 * message in trash or spam, counts as gone.
 */
export async function read(call: SyncCall, itemId: string): Promise<ItemContent> {
  const { state, bytes } = await fetchMessage(call, itemId)
  if (!isWanted(state.labelIds)) throw new ProviderFailure('item_gone', 'the message is a draft, or in trash or spam')
  const mail = await call.documents.readMail(bytes, call.signal)
  // A message without text is represented by its subject.
  const said = mail.text === '' ? { ...mail, text: mail.subject ?? '' } : mail
  const text = composeText(said, { sent: state.labelIds.includes('SENT') })
  return {
    id: itemId,
    version: MESSAGE_VERSION,
    ...(mail.subject && { title: mail.subject }),
    url: `https://mail.google.com/mail/#all/${encodeURIComponent(itemId)}`,
    parts: text === '' ? [] : [toPart(text, mail, state)],
    ...(mail.cut && { cut: 'only its beginning was read: it exceeds the limit of text or levels of a mail' })
  }
}

const { service } = FACTS

async function fetchMessage(call: SyncCall, id: string): Promise<{ state: MessageState; bytes: Uint8Array }> {
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
  const { payload, ...state } = parseReply(await ask(call, { ...asked, query: { format: 'full' } }), FullMessage, about)
  return { state, bytes: rebuildMail(payload) }
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

function toPart(text: string, mail: Mail, { threadId, internalDate }: MessageState): TextPart {
  const speaker = mail.from?.name ?? mail.from?.address
  return {
    text,
    ...(isTime(Number(internalDate)) && { at: Number(internalDate) }),
    ...(speaker && { speaker }),
    conversation: threadId,
    // The number of earlier messages in its branch of the thread, which it lists completely. Requesting the thread
    // would double the calls.
    position: mail.references.length
  }
}

/** Reports whether a time has a year of four digits. Imported mail may have any time. */
function isTime(at: number): boolean {
  return at >= -62_135_596_800_000 && at <= 253_402_300_799_999
}

/**
 * Composes the text of a message. Its body comes first, followed by the names of attachments. A message of the account
 * itself also lists its recipients, since the speaker does not tell them. For other messages the recipient is usually
 * the account.
 */
function composeText({ text, to, attachments }: Mail, { sent }: { sent: boolean }): string {
  const names = to.slice(0, RECIPIENTS_MAX).map(({ name, address }) => (name ? `${name} <${address}>` : address))
  const lines = [
    ...(sent && names.length > 0 ? [`To: ${names.join(', ')}`] : []),
    ...(attachments.length > 0 ? [`Attachments: ${attachments.join(', ')}`] : [])
  ]
  return [text, lines.join('\n')].filter((part) => part !== '').join('\n\n')
}

/** See `Provider.lookUp`. A draft, or a message in trash or spam, counts as gone. Costs 5 quota units. */
export async function lookUp(call: SyncCall, { id }: { id: string }): Promise<LookedUp> {
  const state = await unlessGone(getMessageState(call, id, 'a message'))
  return state !== undefined && isWanted(state.labelIds) ? toSeenMessage(id) : 'absent'
}
