import { type Channel, idOf, type Person, type Workspace } from './content.ts'

/** A workspace without channels. Its people have ids from their place in the list; the first one is whose account it is. */
export function makeWorkspace(
  number: number,
  { name, domain, people }: { name: string; domain: string; people: readonly Omit<Person, 'id'>[] }
): Workspace {
  const first = number * 1000
  const all = people.map((person, at): [string, Person] => {
    const id = idOf('U', first + at)
    return [id, { ...person, id }]
  })
  const [self = ''] = all.map(([id]) => id)
  const team = { id: idOf('T', number), name, domain }
  return { team, self, people: new Map(all), channels: new Map(), serial: first }
}

export type NewChannel = {
  name: string
  isPrivate?: boolean | undefined
  topic?: string
  members: Iterable<string>
  at: number
}

/** Adds an empty channel. Its id begins with C, whether it is private or not, as those of Slack do since 2021. */
export function addChannel(
  workspace: Workspace,
  { name, isPrivate = false, topic = '', members, at }: NewChannel
): Channel {
  workspace.serial += 1
  const channel: Channel = {
    id: idOf('C', workspace.serial),
    name,
    isPrivate,
    isArchived: false,
    createdAt: at,
    creator: workspace.self,
    topic,
    members: new Set(members),
    timeline: [],
    threads: new Map(),
    taken: new Set(),
    upTo: new Map()
  }
  workspace.channels.set(channel.id, channel)
  return channel
}
