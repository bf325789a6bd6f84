import { ask } from '../http/ask.ts'
import type { LookedUp, SyncCall } from '../provider.ts'
import { unlessGone } from '../unless-gone.ts'
import { MAILBOX_FACTS } from './facts.ts'
import { repliedValue } from './failure-of.ts'
import { isWanted, seenMessage } from './message-item.ts'
import { MessageState } from './wire.ts'

/** See `Provider.lookUp`: a message that is a draft, or in trash or spam, counts as gone. Costs 5 units of quota. */
export async function lookUp(call: SyncCall, { id }: { id: string }): Promise<LookedUp> {
  const state = await unlessGone(messageState(call, id))
  return state !== undefined && isWanted(state.labelIds) ? seenMessage(id) : 'absent'
}

async function messageState(call: SyncCall, id: string): Promise<MessageState> {
  const path = `/gmail/v1/users/me/messages/${encodeURIComponent(id)}`
  const replied = await ask(call, { service: MAILBOX_FACTS.service, method: 'GET', path, query: { format: 'minimal' } })
  return repliedValue(replied, MessageState, { what: 'a message', missing: 'item_gone' })
}
