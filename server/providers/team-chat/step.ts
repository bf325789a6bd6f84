import type { Page, SeenItem, SyncCall } from '../provider.ts'
import type { Work } from './cursor.ts'
import { teamUrl as askTeamUrl } from './identify.ts'
import type { Where } from './message-item.ts'
import { NOTE, type Notes } from './notes.ts'

export type Stretch = NonNullable<Page['covered']>[number]

/** What a step is given: the call with the notes of the page, and how many names were asked for one by one. */
export type Reading = { call: SyncCall; notes: Notes; learned: { names: number } }

/** What a step found, and the work that is left of its channel; undefined where that is done. */
export type Step = {
  work: Work | undefined
  seen: readonly SeenItem[]
  covered: readonly Stretch[]
  emptied: readonly string[]
  /** See `Page.leftOut`. */
  leftOut?: Page['leftOut']
  /** Channels that were left out and are not any more. */
  back?: readonly string[]
}

export const NOTHING = { seen: [], covered: [], emptied: [] } as const satisfies Omit<Step, 'work'>

/** From the notes, which the beginning of a sync made. */
export async function whereIs({ call, notes }: Reading, channel: string): Promise<Where> {
  const [teamUrl, channelName] = await Promise.all([notes.get(NOTE.team), notes.get(NOTE.channel(channel))])
  return { channel, channelName: channelName ?? channel, teamUrl: teamUrl ?? (await askTeamUrl(call)) }
}
