import { ask } from '../http/ask.ts'
import type { Account, ProviderCall, SeenItem } from '../port/provider.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { FACTS } from './facts.ts'
import { parseReply } from './failures.ts'
import { isWanted, toSeenMessage } from './message-item.ts'
import { MessageList, MessageState, Profile } from './wire.ts'

/** The most that a page may hold (users.messages.list, `maxResults`). */
const PAGE_ITEMS_MAX = 500

/**
 * What a listing leaves out, in the words of the web client's search. `includeSpamTrash=false` does the same for those two. Where
 * these words should not hold, `read` still does.
 */
const NEITHER_DRAFTS_NOR_CHATS = '-in:draft -in:chats'

export type ListedMessages = { seen: SeenItem[]; next: string | undefined }

/** A page of all messages, newest first. Each costs 5 units of quota, of 250 a second and account. */
export async function listMessages(call: ProviderCall, token: string | undefined): Promise<ListedMessages> {
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
  return { seen: wanted.map(({ id }) => toSeenMessage(id)), next: nextPageToken }
}

/** A page that names itself as the next one would be read for ever. */
export function assertNewPage(token: string | undefined, next: string | undefined, what: string): void {
  if (next === undefined || next !== token) return
  throw new ProviderFailure('contract_broken', `${what}: a page names itself as the next one`)
}

/**
 * The account by its address, in lower case. Gmail tells no other id without a further scope. Where an organisation renames an
 * address, the account counts as another one from its next consent on; until then the connection works as before.
 */
export async function identify(call: ProviderCall): Promise<Account> {
  const { emailAddress } = await getProfile(call)
  return { id: emailAddress.toLowerCase(), name: emailAddress }
}

/** Whose mailbox it is, and how far its history has come. */
export async function getProfile(call: ProviderCall): Promise<Profile> {
  const replied = await ask(call, { service: FACTS.service, method: 'GET', path: '/gmail/v1/users/me/profile' })
  return parseReply(replied, Profile, { what: 'the profile of the mailbox' })
}

/**
 * Where a message stands: its labels, its thread and how far the history had come. `what` is what it is called in a failure.
 *
 * @throws ProviderFailure `item_gone` where there is no such message.
 */
export async function getMessageState(call: ProviderCall, id: string, what: string): Promise<MessageState> {
  const path = `/gmail/v1/users/me/messages/${encodeURIComponent(id)}`
  const replied = await ask(call, { service: FACTS.service, method: 'GET', path, query: { format: 'minimal' } })
  return parseReply(replied, MessageState, { what, missing: 'item_gone' })
}
