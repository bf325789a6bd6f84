import type { LookedUp, SyncCall } from '../port/provider.ts'
import { unlessGone } from '../port/unless-gone.ts'
import { isWanted, toSeenMessage } from './message-item.ts'
import { getMessageState } from './requests.ts'

/** See `Provider.lookUp`: a message that is a draft, or in trash or spam, counts as gone. Costs 5 units of quota. */
export async function lookUp(call: SyncCall, { id }: { id: string }): Promise<LookedUp> {
  const state = await unlessGone(getMessageState(call, id, 'a message'))
  return state !== undefined && isWanted(state.labelIds) ? toSeenMessage(id) : 'absent'
}
