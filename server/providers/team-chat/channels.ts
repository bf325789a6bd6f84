import type { ChannelEntry, ProviderCall } from '../port/provider.ts'
import { ProviderFailure, unlessGone } from '../port/provider-failure.ts'

import { callMethod, nextCursor } from './requests.ts'
import { ChannelInfo, ChannelsPage } from './wire.ts'

/** The maximum page size (https://docs.slack.dev/reference/methods/conversations.list). */
const CHANNELS_PER_PAGE = 1000
const PAGES_MAX = 1000

/** Lists public channels and the private ones that the user is in, without archived ones. */
export async function* channels(call: ProviderCall): AsyncGenerator<readonly ChannelEntry[]> {
  const passed = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await callMethod(call, 'conversations.list', { query: { ...WHICH, cursor }, schema: ChannelsPage })
    yield page.channels.flatMap((channel) => (isListed(channel) ? [toChannelEntry(channel)] : []))
    cursor = nextCursor(page)
    if (cursor === undefined) return
    if (passed.has(cursor))
      throw new ProviderFailure('contract_broken', 'conversations.list: a page was returned twice')
    passed.add(cursor)
  } while (passed.size < PAGES_MAX)
  throw new ProviderFailure('contract_broken', `conversations.list: more than ${PAGES_MAX} pages`)
}

const WHICH = { types: 'public_channel,private_channel', exclude_archived: true, limit: CHANNELS_PER_PAGE }

type Listed = ChannelsPage['channels'][number]

/** Reports whether a channel may be selected. */
function isListed({ id, is_archived, is_im, is_mpim }: Listed): boolean {
  return !is_archived && !is_im && !is_mpim && /^[CG][A-Z0-9]+$/.test(id)
}

function toChannelEntry({ id, name, is_private, num_members }: Listed): ChannelEntry {
  const members = Math.max(0, Math.trunc(num_members ?? 0))
  return { id, name: name ?? id, isPrivate: is_private === true, members }
}

/** See `Provider.findPlaceName`. Accepts a channel that Slack shows, archived or not. */
export async function findPlaceName(call: ProviderCall, id: string): Promise<string | undefined> {
  const channel = await getChannel(call, id)
  return channel && (channel.name ?? id)
}

/** Fetches a channel, or returns undefined if Slack does not know it or does not show it. */
export async function getChannel(call: ProviderCall, channel: string) {
  const info = callMethod(call, 'conversations.info', { query: { channel }, schema: ChannelInfo })
  return (await unlessGone(info))?.channel
}
