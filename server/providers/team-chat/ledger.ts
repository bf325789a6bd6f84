import type { Ledger, Page, SeenItem, SyncCall } from '../port/provider.ts'
import type { Work } from './cursor.ts'
import type { Where } from './message-item.ts'
import { getTeamUrl } from './requests.ts'

/** The ledger with pending changes of this page. */
export type LedgerDraft = Ledger & {
  /** Sets a key; `undefined` removes it. Skips a value that was read before and is unchanged. */
  put(key: string, value: string | undefined): void
  /** Returns the changes for `Page.ledger`. */
  changes(): NonNullable<Page['ledger']>
}

/** Opens a draft that keeps changes in memory for one page. */
function openDraft(ledger: Ledger): LedgerDraft {
  const put = new Map<string, string | undefined>()
  const read = new Map<string, string | undefined>()
  return {
    get: async (key) => {
      if (put.has(key)) return put.get(key)
      if (!read.has(key)) read.set(key, await ledger.get(key))
      return read.get(key)
    },
    entries: async (prefix) => {
      const entries = new Map(await ledger.entries(prefix))
      for (const [key, value] of entries) read.set(key, value)
      for (const [key, value] of put) {
        if (!key.startsWith(prefix)) continue
        if (value === undefined) entries.delete(key)
        else entries.set(key, value)
      }
      return entries
    },
    put: (key, value) => {
      if (read.has(key) && read.get(key) === value) put.delete(key)
      else put.set(key, value)
    },
    changes: () => [...put]
  }
}

/** The keys of this provider's ledger. */
export const KEYS = {
  /** The URL of the workspace. */
  team: 'team',
  /** When the list of people was last read, in milliseconds since 1970. */
  people: 'people',
  /** The name of a person. */
  person: (id: string): string => `person/${id}`,
  /** The name of a channel. */
  channel: (id: string): string => `channel/${id}`,
  /** A selected channel that was reported as unreadable. */
  leftOut: (id: string): string => `left-out/${id}`,
  /** The mark of a thread when its replies were last read. */
  thread: (channel: string, root: string): string => `thread/${channel}/${root}`,
  threads: (channel: string): string => `thread/${channel}/`
} as const

/** Lists the channels under a kind of key, such as `KEYS.channel`. */
export async function listNotedChannels(draft: LedgerDraft, key: (id: string) => string): Promise<string[]> {
  return [...(await draft.entries(key(''))).keys()].map((noted) => noted.slice(key('').length))
}

/** Removes all notes about a channel. */
export async function forgetChannel(draft: LedgerDraft, channel: string): Promise<void> {
  for (const key of (await draft.entries(KEYS.threads(channel))).keys()) draft.put(key, undefined)
  draft.put(KEYS.channel(channel), undefined)
}

export type IdRange = NonNullable<Page['covered']>[number]

/** The context of a step: the call and the ledger of the page. */
export type Reading = {
  call: SyncCall
  draft: LedgerDraft
  /** The number of people's names that were fetched individually, and the names of channels by id. */
  learned: { names: number; channels: Map<string, string> }
}

/** Opens the context of a step. */
export function openReading(call: SyncCall): Reading {
  return { call, draft: openDraft(call.ledger), learned: { names: 0, channels: new Map() } }
}

/** The result of a step, and the remaining work of its channel; undefined if that is done. */
export type Step = {
  work: Work | undefined
  seen: readonly SeenItem[]
  covered: readonly IdRange[]
  emptied: readonly string[]
  /** See `Page.leftOut`. */
  leftOut?: Page['leftOut']
  /** Channels that were reported as unreadable and are readable again. */
  back?: readonly string[]
}

export const NOTHING = { seen: [], covered: [], emptied: [] } as const satisfies Omit<Step, 'work'>

/** Finds the names in the ledger, where the beginning of the sync stored them. */
export async function findWhere({ call, draft }: Reading, channel: string): Promise<Where> {
  const [teamUrl, channelName] = await Promise.all([draft.get(KEYS.team), draft.get(KEYS.channel(channel))])
  return { channel, channelName: channelName ?? channel, teamUrl: teamUrl ?? (await getTeamUrl(call)) }
}
