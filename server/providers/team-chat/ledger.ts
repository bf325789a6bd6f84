import type { Ledger, Page, SeenItem, SyncCall } from '../port/provider.ts'
import type { Work } from './cursor.ts'
import type { Where } from './message-item.ts'
import { getTeamUrl } from './requests.ts'

/** The ledger with what this page adds to it, which is not written yet. */
export type LedgerDraft = Ledger & {
  /** `undefined` takes a key out. What is so already is left alone, if it was read before. */
  put(key: string, value: string | undefined): void
  /** For `Page.ledger`. */
  changes(): NonNullable<Page['ledger']>
}

/** Keeps what is put in memory, for one page. */
export function openDraft(ledger: Ledger): LedgerDraft {
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
  /** The address of the workspace. */
  team: 'team',
  /** When the list of people was read last, in milliseconds since 1970. */
  people: 'people',
  /** What a person is called. */
  person: (id: string): string => `person/${id}`,
  /** What a channel is called. */
  channel: (id: string): string => `channel/${id}`,
  /** A selected channel that was told of as left out. */
  leftOut: (id: string): string => `left-out/${id}`,
  /** What the root of a thread said of its replies when they were read last. */
  thread: (channel: string, root: string): string => `thread/${channel}/${root}`,
  threads: (channel: string): string => `thread/${channel}/`
} as const

/** The channels under a kind of key, as `NOTE.channel`. */
export async function listNotedChannels(draft: LedgerDraft, key: (id: string) => string): Promise<string[]> {
  return [...(await draft.entries(key(''))).keys()].map((noted) => noted.slice(key('').length))
}

/** Takes out all that is kept in mind of a channel. */
export async function forgetChannel(draft: LedgerDraft, channel: string): Promise<void> {
  for (const key of (await draft.entries(KEYS.threads(channel))).keys()) draft.put(key, undefined)
  draft.put(KEYS.channel(channel), undefined)
}

export type IdRange = NonNullable<Page['covered']>[number]

/** What a step is given: the call with the ledger of the page, and how many names were asked for one by one. */
export type Reading = { call: SyncCall; draft: LedgerDraft; learned: { names: number } }

/** What a step found, and the work that is left of its channel; undefined where that is done. */
export type Step = {
  work: Work | undefined
  seen: readonly SeenItem[]
  covered: readonly IdRange[]
  emptied: readonly string[]
  /** See `Page.leftOut`. */
  leftOut?: Page['leftOut']
  /** Channels that were left out and are not any more. */
  back?: readonly string[]
}

export const NOTHING = { seen: [], covered: [], emptied: [] } as const satisfies Omit<Step, 'work'>

/** From the ledger, which the beginning of a sync made. */
export async function findWhere({ call, draft }: Reading, channel: string): Promise<Where> {
  const [teamUrl, channelName] = await Promise.all([draft.get(KEYS.team), draft.get(KEYS.channel(channel))])
  return { channel, channelName: channelName ?? channel, teamUrl: teamUrl ?? (await getTeamUrl(call)) }
}
