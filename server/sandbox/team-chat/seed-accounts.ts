import { readSeed } from '../core/read-seed.ts'
import type { SandboxAccount, Seed } from '../core/sandbox-provider.ts'
import {
  addApp,
  addChannel,
  addFile,
  type Channel,
  makeWorkspace,
  post,
  ROBOT,
  reply,
  type Workspace
} from './content.ts'

import seedFile from './seed.json' with { type: 'json' }

const MINUTE_MS = 60_000
const DAY_MS = 24 * 3_600_000
/** How long before its first message a channel was created. */
const EMPTY_MS = DAY_MS

/** Creates three accounts, each in its own workspace. */
export function seedAccounts(seed: Seed): SandboxAccount[] {
  const { workspaces } = readSeed<{ workspaces: readonly SeedWorkspace[] }>(seedFile)
  return workspaces.map((story) => {
    const { name, email } = story
    const content = fillWorkspace(story, seed.now)
    // The same id as in adapters: the id of a person alone is not unique.
    return { id: `${content.team.id}:${content.self}`, name, email, content }
  })
}

function fillWorkspace(story: SeedWorkspace, now: number): Workspace {
  const people = story.people.map(([handle, realName, displayName, title]) => ({
    handle,
    realName,
    displayName,
    title,
    bot: false
  }))
  const workspace = makeWorkspace(story.number, { name: story.team, domain: story.domain, people })
  const handles = new Map([...workspace.people.values()].map(({ handle, id }) => [handle, id]))
  for (const channel of story.channels) fillChannel(channel, { workspace, handles, now })
  return workspace
}

type Scene = { workspace: Workspace; handles: ReadonlyMap<string, string>; now: number }

function fillChannel(story: SeedChannel, scene: Scene): void {
  const everybody = [...scene.handles.values()]
  const first = Math.max(1, ...story.talk.map(([daysAgo]) => daysAgo))
  const channel = addChannel(scene.workspace, {
    name: story.name,
    isPrivate: story.private === true,
    topic: story.topic ?? '',
    members: story.without ? everybody.slice(1) : everybody,
    at: scene.now - first * DAY_MS - EMPTY_MS
  })
  for (const talk of story.talk) say(channel, talk, scene)
  channel.isArchived = story.archived === true
}

function say(channel: Channel, [daysAgo, minute, who, text, answers = [], more]: SeedTalk, scene: Scene): void {
  const day = scene.now - daysAgo * DAY_MS
  const at = day - (day % DAY_MS) + minute * MINUTE_MS
  const root = post(channel, { at, ...toPost(who, text, scene), ...toMembers(more, scene) })
  for (const answer of answers) answerTo(channel, root.ts, { at, answer, scene })
}

function answerTo(
  channel: Channel,
  root: string,
  { at, answer: [minutes, who, text], scene }: { at: number; answer: SeedAnswer; scene: Scene }
): void {
  const broadcast = text.startsWith('!')
  const said = toPost(who, broadcast ? text.slice(1) : text, scene)
  reply(channel, { at: at + minutes * MINUTE_MS, root, broadcast, ...said })
}

/** Converts a line of the seed to a message. Joins and posts of apps have Slack's format. */
function toPost(who: string, text: string, { handles }: Scene) {
  const ids = text.replace(/\{(\w+)\}/g, (whole, handle: string) => handles.get(handle) ?? whole)
  if (who === 'bot') return { subtype: 'bot_message', botId: ROBOT, username: 'Robot', text: ids }
  if (who !== 'join') return { user: handles.get(who) ?? who, text: ids }
  const [user = ''] = handles.values()
  return { user, subtype: 'channel_join', text: `<@${user}> has joined the channel` }
}

/** Converts what a message has beside its text. */
function toMembers(more: SeedMembers | undefined, { workspace }: Scene) {
  const { app, files, blocks, attachments } = more ?? {}
  return {
    ...(app !== undefined && { botId: addApp(workspace, app) }),
    ...(blocks !== undefined && { blocks }),
    ...(attachments !== undefined && { attachments }),
    ...(files !== undefined && {
      subtype: 'file_share',
      files: files.map((file) => addFile(workspace, String(file.name), file))
    })
  }
}

/** The initial content of a workspace. Handles name people; `@{handle}` in a text mentions one. */
type SeedWorkspace = {
  /** The person on the consent page. */
  name: string
  email: string
  number: number
  team: string
  domain: string
  /** The first one owns the account. */
  people: readonly (readonly [handle: string, realName: string, displayName: string, title: string])[]
  channels: readonly SeedChannel[]
}

type SeedChannel = {
  name: string
  topic?: string
  private?: true
  archived?: true
  /** The account's person is not a member. */
  without?: true
  talk: readonly SeedTalk[]
}

/**
 * Days before the end of seeded content, minute of that day, author, text, replies with their delay in minutes, and
 * what the message has beside its text.
 */
type SeedTalk = readonly [
  daysAgo: number,
  minute: number,
  who: string,
  text: string,
  answers?: readonly SeedAnswer[],
  more?: SeedMembers
]

/** `app` is the name of the app through which the author posts. The other members are Slack's own. */
type SeedMembers = {
  app?: string
  blocks?: readonly Record<string, unknown>[]
  attachments?: readonly Record<string, unknown>[]
  files?: readonly Record<string, unknown>[]
}

/** `who` is a handle, `join` or `bot`. A reply that begins with `!` is also sent to the channel. */
type SeedAnswer = readonly [minutes: number, who: string, text: string]
