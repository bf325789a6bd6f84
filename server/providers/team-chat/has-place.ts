import type { ProviderCall } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { callMethod } from './call-method.ts'
import { ChannelInfo } from './wire.ts'

/** See `Provider.hasPlace`: a channel that Slack shows, archived or not. */
export async function hasPlace(call: ProviderCall, id: string): Promise<boolean> {
  try {
    await callMethod(call, 'conversations.info', { query: { channel: id }, schema: ChannelInfo })
    return true
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'item_gone') return false
    throw error
  }
}
