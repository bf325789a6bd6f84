import { ask } from '../http/ask.ts'
import type { ProviderCall, SeenItem } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { MAILBOX_FACTS } from './facts.ts'
import { repliedValue } from './failure-of.ts'
import { isWanted, seenMessage } from './message-item.ts'
import { MessageList } from './wire.ts'

/** The most that a page may hold (users.messages.list, `maxResults`). */
const PAGE_ITEMS_MAX = 500

/**
 * What a listing leaves out, in the words of the web client's search. `includeSpamTrash=false` does the same for those two. Where
 * these words should not hold, `read` still does.
 */
const NEITHER_DRAFTS_NOR_CHATS = '-in:draft -in:chats'

export type ListedMessages = { seen: SeenItem[]; next: string | undefined }

/** A page of all messages, newest first. Each costs 5 units of quota, of 250 a second and account. */
export async function messageList(call: ProviderCall, token: string | undefined): Promise<ListedMessages> {
  const replied = await ask(call, {
    service: MAILBOX_FACTS.service,
    method: 'GET',
    path: '/gmail/v1/users/me/messages',
    query: { maxResults: PAGE_ITEMS_MAX, includeSpamTrash: false, q: NEITHER_DRAFTS_NOR_CHATS, pageToken: token }
  })
  const what = 'the list of messages'
  const { messages, nextPageToken } = repliedValue(replied, MessageList, { what, fromToken: token !== undefined })
  refuseRepeated(token, nextPageToken, what)
  const wanted = messages.filter(({ labelIds }) => labelIds === undefined || isWanted(labelIds))
  return { seen: wanted.map(({ id }) => seenMessage(id)), next: nextPageToken }
}

/** A page that names itself as the next one would be read for ever. */
export function refuseRepeated(token: string | undefined, next: string | undefined, what: string): void {
  if (next === undefined || next !== token) return
  throw new ProviderFailure('contract_broken', `${what}: a page names itself as the next one`)
}
