import { teamChatProvider } from '../../../../server/providers/team-chat/team-chat-provider.ts'
import type { SandboxAccount } from '../../../../server/sandbox/core/sandbox-provider.ts'
import type { Workspace } from '../../../../server/sandbox/team-chat/content.ts'
import { teamChatSandbox } from '../../../../server/sandbox/team-chat/team-chat-sandbox.ts'
import { providerSuite, type SuiteEdit } from '../../../suites/provider-suite.ts'
import type { SuiteWorld } from '../../../suites/provider-suite-world.ts'
import { describedSlackFetch, slackDescription } from '../../../suites/slack-description.ts'
import { writtenIn } from './chat-kit.ts'

const description = slackDescription()
const CHANNELS = ['general', 'pilot-northquay', 'leads']

/** Returns the `ts` of the newest message of a channel that contains a piece of text. */
function tsOf({ account }: SuiteWorld, name: string, piece: string): { channel: string; ts: string } {
  const channel = channelOf(account, name)
  const all = [...channel.timeline, ...[...channel.threads.values()].flat()]
  return { channel: channel.id, ts: all.findLast(({ text }) => text.includes(piece))?.ts ?? `no ${piece}` }
}

function channelOf({ content }: SandboxAccount, name: string) {
  const found = [...(content as Workspace).channels.values()].find((channel) => channel.name === name)
  if (found === undefined) throw new Error(`there is no ${name}`)
  return found
}

const edits: readonly SuiteEdit[] = [
  { name: 'something is said', make: (w) => w.change('post', { channel: 'general', text: 'The kettle is broken.' }) },
  { name: 'it is answered', make: (w) => answer(w, 'kettle', { user: 'jonas', text: 'A new one comes.', count: 3 }) },
  {
    name: 'an answer is edited',
    make: (w) => w.change('edit', { ...tsOf(w, 'general', 'A new one'), text: 'On Monday.' })
  },
  { name: 'an answer is deleted', make: (w) => w.change('delete', tsOf(w, 'general', 'A new one')) },
  {
    name: 'an answer goes to the channel too',
    make: (w) => answer(w, 'kettle', { text: 'It is red.', broadcast: true })
  },
  {
    name: 'what was said is edited',
    make: (w) => w.change('edit', { ...tsOf(w, 'general', 'fire drill'), text: 'No drill.' })
  },
  { name: 'what was said is deleted', make: (w) => w.change('delete', tsOf(w, 'general', 'No drill')) },
  { name: 'a root is deleted and its answers stay', make: (w) => w.change('delete', tsOf(w, 'general', 'kettle')) },
  {
    name: 'an old thread is answered',
    make: (w) => answer(w, 'weekly report', { channel: 'pilot-northquay', text: 'Late.' })
  },
  { name: 'a robot speaks', make: (w) => w.change('post', { channel: 'general', bot: true, text: 'Beep.' }) },
  { name: 'somebody joins', make: (w) => w.change('join', { channel: 'leads', user: 'mei' }) },
  { name: 'something is said elsewhere', make: (w) => w.change('post', { channel: 'random', text: 'Not selected.' }) },
  { name: 'a channel is archived', make: (w) => w.change('archive', { channel: 'general' }) },
  { name: 'a channel is lost', make: (w) => w.change('kick', { channel: 'leads' }) },
  { name: 'it comes back', make: (w) => w.change('invite', { channel: 'leads' }) }
]

function answer(
  world: SuiteWorld,
  piece: string,
  said: { channel?: string; [more: string]: unknown }
): Promise<unknown> {
  const { channel, ts } = tsOf(world, said.channel ?? 'general', piece)
  return world.change('reply', { ...said, channel, thread: ts })
}

providerSuite({
  provider: teamChatProvider,
  sandboxProvider: teamChatSandbox,
  account: 'T0000000001:U00000000RS',
  hostile: 'T0000000003:U00000002BC',
  selection: (account) => idsOf(account, CHANNELS),
  holds: (account, selection) => writtenIn(account.content as Workspace, selection),
  edits,
  listing: 'conversations.history',
  reading: 'conversations.replies',
  smallPages,
  ...(description && {
    described: (fetch, { complaints }) => describedSlackFetch(fetch, description, complaints)
  })
})

function idsOf(account: SandboxAccount, names: readonly string[]): string[] {
  const channels = [...(account.content as Workspace).channels.values()]
  const named = channels.filter(({ name }) => names.includes(name))
  return (named.length === names.length ? named : channels).map(({ id }) => id)
}

function smallPages(request: Request): Request {
  const url = new URL(request.url)
  if (url.searchParams.has('limit')) url.searchParams.set('limit', '2')
  return new Request(url, request)
}
