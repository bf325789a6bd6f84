import type { ProviderCall } from '../provider.ts'
import { unlessGone } from '../unless-gone.ts'
import { callMethod } from './call-method.ts'
import { ChannelInfo } from './wire.ts'

/** See `Provider.hasPlace`: a channel that Slack shows, archived or not. */
export async function hasPlace(call: ProviderCall, id: string): Promise<boolean> {
  return (await shownChannel(call, id)) !== undefined
}

/** What Slack tells of a channel; undefined where it does not know it, or does not show it. */
export async function shownChannel(call: ProviderCall, channel: string) {
  const info = callMethod(call, 'conversations.info', { query: { channel }, schema: ChannelInfo })
  return (await unlessGone(info))?.channel
}
