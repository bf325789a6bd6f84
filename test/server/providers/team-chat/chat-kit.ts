import type { Ledger, Page, PageFrom, SeenItem, SyncCall } from '../../../../server/providers/port/provider.ts'
import { ProviderFailure } from '../../../../server/providers/port/provider-failure.ts'
import { teamChatProvider } from '../../../../server/providers/team-chat/team-chat-provider.ts'
import type { SandboxAccount, SandboxProvider } from '../../../../server/sandbox/core/sandbox-provider.ts'
import type { Workspace } from '../../../../server/sandbox/team-chat/content.ts'
import { teamChatSandbox } from '../../../../server/sandbox/team-chat/team-chat-sandbox.ts'
import type { Fetch, Log } from '../../../../src/ports.ts'
import { type SandboxKit, sandboxKit } from '../../../suites/sandbox-provider-kit.ts'

export type ChatKit = SandboxKit & {
  call: SyncCall
  ledger: Map<string, string>
  /** The current content of the sandbox workspace. */
  workspace: Workspace
  change(name: string, input: unknown): Promise<Record<string, unknown>>
  channel(name: string): string
  /** Advances the time, and gets a new token, as an account in use does. */
  pass(ms: number): Promise<void>
}

const SILENT: Log = { error: () => undefined, info: () => undefined, debug: () => undefined }

/**
 * Connects the adapter to the sandbox with a token of the account whose address begins with that name. `around` sees
 * all requests.
 */
export async function chatKit({ account: named = 'ada', around = (fetch: Fetch) => fetch } = {}): Promise<ChatKit> {
  let owner: SandboxAccount | undefined
  const sandboxProvider: SandboxProvider = {
    ...teamChatSandbox,
    accounts: (seed) => {
      const accounts = teamChatSandbox.accounts(seed)
      owner = accounts.find(({ email }) => email.startsWith(`${named}.`))
      return accounts
    }
  }
  const kit = sandboxKit([sandboxProvider])
  await kit.control('GET', '/accounts')
  if (owner === undefined) throw new Error(`user ${named} does not exist`)
  const { id: account, content } = owner
  let inner = await kit.fetchAs('team_chat', { account })
  const fetch = around((request) => inner(request))
  // Created by the seed of this sandbox provider.
  const made = content as Workspace
  const ledger = new Map<string, string>()
  const { apiUrl } = kit.sandbox.provider('team_chat')
  const signal = new AbortController().signal
  const documents = { readText: never, readMail: never }
  const call = { fetch, apiUrl, clock: kit.clock, log: SILENT, signal, documents, ledger: ledgerOf(ledger) }
  return {
    ...kit,
    call,
    ledger,
    workspace: made,
    change: async (name, input) =>
      (await kit.control('POST', `/accounts/team_chat/${account}/${name}`, input)) as Record<string, unknown>,
    async pass(ms) {
      await kit.clock.pass(ms)
      inner = await kit.fetchAs('team_chat', { account })
    },
    channel: (name) => [...made.channels.values()].find((channel) => channel.name === name)?.id ?? name
  }
}

/** A simulated sync that follows pages and stores their results. */
export type Follower = { known: Map<string, SeenItem>; cursor: string | undefined }

export type Followed = { pages: number; failures: ProviderFailure[] }

/**
 * Pages through `changes` or `list` to the end. Retries failed pages, at most `patience` times in total. Each page
 * counts as written at once, with its ledger.
 */
export async function follow(
  kit: ChatKit,
  follower: Follower,
  {
    selection,
    how = 'changes',
    patience = 0
  }: { selection: readonly string[]; how?: 'changes' | 'list'; patience?: number }
): Promise<Followed> {
  const failures: ProviderFailure[] = []
  let cursor = how === 'changes' ? follower.cursor : undefined
  for (let pages = 1; pages < 5000; pages++) {
    const page = await pageOrFailure(kit, { how, from: { selection, cursor } })
    if (page instanceof ProviderFailure) {
      failures.push(page)
      if (failures.length > patience) throw page
      continue
    }
    takeIn(kit, follower, page)
    cursor = page.cursor
    if (how === 'changes') follower.cursor = cursor
    if (!page.more) return { pages, failures }
  }
  throw new Error('no end of pages')
}

async function pageOrFailure(
  { call }: ChatKit,
  { how, from }: { how: 'changes' | 'list'; from: PageFrom }
): Promise<Page | ProviderFailure> {
  try {
    return await teamChatProvider[how](call, from)
  } catch (error) {
    if (error instanceof ProviderFailure) return error
    throw error
  }
}

function takeIn({ ledger }: ChatKit, { known }: Follower, page: Page): void {
  const seen = new Set(page.seen.map(({ id }) => id))
  for (const id of known.keys()) {
    const covered = page.covered?.some(({ from, to }) => from <= id && id <= to)
    if (covered && !seen.has(id)) known.delete(id)
  }
  for (const [id, { place }] of known) if (page.emptied?.includes(place ?? '')) known.delete(id)
  for (const id of page.gone) known.delete(id)
  for (const item of page.seen) known.set(item.id, item)
  for (const [key, value] of page.ledger ?? []) {
    if (value === undefined) ledger.delete(key)
    else ledger.set(key, value)
  }
}

/**
 * Returns the ids of the messages in channels of the sandbox that the account can see, with a piece of each text. The
 * events of a channel have none.
 */
export function writtenIn(
  { channels, self }: Workspace,
  channelIds: readonly string[]
): Map<string, string | undefined> {
  const texts = new Map<string, string | undefined>()
  for (const id of channelIds) {
    const channel = channels.get(id)
    if (channel === undefined || (channel.isPrivate && !channel.members.has(self))) continue
    for (const { ts, threadTs, text, subtype } of [...channel.timeline, ...[...channel.threads.values()].flat()]) {
      if (subtype === 'tombstone') continue
      const piece = subtype?.startsWith('channel_') ? undefined : (/^[^<&]*/.exec(text)?.[0] ?? '')
      texts.set(`${id}/${threadTs ?? ts}/${ts}`, piece)
    }
  }
  return texts
}

export function written({ workspace }: ChatKit, channelIds: readonly string[]): Map<string, string> {
  return new Map([...writtenIn(workspace, channelIds)].map(([id, piece]) => [id, piece ?? '']))
}

/** Returns the texts that were followed. */
export function texts({ known }: Follower): Map<string, string> {
  return new Map([...known].map(([id, { content }]) => [id, content?.parts[0]?.text ?? '']))
}

export function newFollower(): Follower {
  return { known: new Map(), cursor: undefined }
}

function ledgerOf(entries: ReadonlyMap<string, string>): Ledger {
  return {
    get: async (key) => entries.get(key),
    entries: async (prefix) => new Map([...entries].filter(([key]) => key.startsWith(prefix)))
  }
}

async function never(): Promise<never> {
  throw new Error('chat has no documents')
}
