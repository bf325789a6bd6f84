import { Buffer } from 'node:buffer'
import { ask } from '../http/ask.ts'
import type { Account, ProviderCall, SeenItem, SyncCall } from '../port/provider.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { FACTS } from './facts.ts'
import { parseReply } from './failures.ts'
import { isWanted, toSeenMessage } from './message-item.ts'
import { AttachmentBody, FullMessage, MessageList, MessageState, Profile } from './wire.ts'

/** The maximum page size (users.messages.list, `maxResults`). */
const PAGE_ITEMS_MAX = 500

/**
 * The search query that excludes drafts and chats from a listing. `includeSpamTrash=false` excludes spam and trash. If
 * the query does not apply, `read` still excludes them.
 */
const NEITHER_DRAFTS_NOR_CHATS = '-in:draft -in:chats'

export type ListedMessages = { seen: SeenItem[]; next: string | undefined }

/** Lists a page of all messages, newest first. Each call costs 5 quota units, of 250 per second and account. */
export async function listMessages(call: SyncCall, token: string | undefined): Promise<ListedMessages> {
  const replied = await ask(call, {
    service: FACTS.service,
    method: 'GET',
    path: '/gmail/v1/users/me/messages',
    query: { maxResults: PAGE_ITEMS_MAX, includeSpamTrash: false, q: NEITHER_DRAFTS_NOR_CHATS, pageToken: token }
  })
  const what = 'the list of messages'
  const { messages, nextPageToken } = parseReply(replied, MessageList, { what, fromToken: token !== undefined })
  assertNewPage(token, nextPageToken, what)
  const wanted = messages.filter(({ labelIds }) => labelIds === undefined || isWanted(labelIds))
  return { seen: wanted.map(({ id }) => toSeenMessage(id, call)), next: nextPageToken }
}

/** Refuses a page whose next page is itself, which would be read forever. */
export function assertNewPage(token: string | undefined, next: string | undefined, what: string): void {
  if (next === undefined || next !== token) return
  throw new ProviderFailure('contract_broken', `${what}: a page refers to itself as the next one`)
}

/**
 * Identifies the account by its address, in lower case. Gmail provides no other id without a further scope. If an
 * organization renames an address, the account counts as a different one from its next consent on. Until then the
 * connection works as before.
 */
export async function identify(call: ProviderCall): Promise<Account> {
  const { emailAddress } = await getProfile(call)
  return { id: emailAddress.toLowerCase(), name: emailAddress }
}

/** Fetches the address of the mailbox and its current history id. */
export async function getProfile(call: ProviderCall): Promise<Profile> {
  const replied = await ask(call, { service: FACTS.service, method: 'GET', path: '/gmail/v1/users/me/profile' })
  return parseReply(replied, Profile, { what: 'the profile of the mailbox' })
}

/**
 * Fetches the state of a message: its labels, its thread and its history id. `what` is its name in a failure.
 *
 * @throws ProviderFailure `item_gone` if the message does not exist.
 */
export async function getMessageState(call: ProviderCall, id: string, what: string): Promise<MessageState> {
  const path = `/gmail/v1/users/me/messages/${encodeURIComponent(id)}`
  const replied = await ask(call, { service: FACTS.service, method: 'GET', path, query: { format: 'minimal' } })
  return parseReply(replied, MessageState, { what, missing: 'item_gone' })
}

/**
 * Fetches a message as a tree of parts, without the bytes of its attachments.
 *
 * @throws ProviderFailure `item_gone` if the message does not exist.
 */
export async function getMessageTree(call: ProviderCall, id: string): Promise<FullMessage> {
  const path = `/gmail/v1/users/me/messages/${encodeURIComponent(id)}`
  const replied = await ask(call, { service: FACTS.service, method: 'GET', path, query: { format: 'full' } })
  return parseReply(replied, FullMessage, { what: 'a message', missing: 'item_gone' })
}

/** The JSON around the bytes of an attachment, and its line ends. */
const REPLY_BYTES_MORE = 64 * 1024

/**
 * Fetches the bytes of an attachment. The tree of its message has `attachmentId`, which differs in each reply.
 *
 * @throws ProviderFailure `item_permanent` if it has more than `bytesMax` bytes.
 */
export async function getAttachment(
  call: ProviderCall,
  { messageId, attachmentId, bytesMax }: { messageId: string; attachmentId: string; bytesMax: number }
): Promise<Uint8Array> {
  const path = `/gmail/v1/users/me/messages/${encodeURIComponent(messageId)}/attachments/${encodeURIComponent(attachmentId)}`
  const limit = Math.ceil((bytesMax * 4) / 3) + REPLY_BYTES_MORE
  const replied = await ask(call, { service: FACTS.service, method: 'GET', path, bytesMax: limit })
  const { data } = parseReply(replied, AttachmentBody, { what: 'an attachment', missing: 'item_gone' })
  return Buffer.from(data, 'base64url')
}
