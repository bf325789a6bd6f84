import * as z from 'zod'
import type { SandboxAccount, SandboxChange } from '../core/sandbox-provider.ts'
import {
  addApp,
  addChannel,
  addFile,
  type Channel,
  createId,
  findMessage,
  insert,
  type Message,
  messageAt,
  post,
  ROBOT,
  remove,
  reply,
  type Workspace
} from './content.ts'

const TEXT_MAX = 1_000_000
const COUNT_MAX = 200_000

/** By its id or its name. */
const channel = z.string().max(20_000)
const ts = z.string().regex(/^\d{10}\.\d{6}$/, 'the ts of a message')
/** By id or handle; by default, the account's own person. */
const user = z.string().max(20_000).optional()
/** Milliseconds since 1970; by default, now. */
const at = z.int().min(0).max(9_999_999_999_999).optional()
const count = z.int().min(1).max(COUNT_MAX).default(1)
const text = z.string().max(TEXT_MAX)

const Posted = z.strictObject({
  channel,
  user,
  text: text.default('Hello'),
  at,
  count,
  subtype: z.string().max(100).optional(),
  /** Posted by an app. */
  bot: z.boolean().default(false),
  /** The name of the app through which the user posts. */
  app: z.string().min(1).max(20_000).optional(),
  blocks: z.array(z.looseObject({ type: z.string() })).optional(),
  attachments: z.array(z.looseObject({})).optional(),
  files: z
    .array(z.union([z.string().max(20_000), z.looseObject({ name: z.string().max(20_000) })]))
    .max(10)
    .default([])
})
const Replied = z.strictObject({
  channel,
  thread: ts,
  user,
  text: text.default('Yes'),
  at,
  count,
  broadcast: z.boolean().optional()
})
const Edited = z.strictObject({ channel, ts, text })
const Deleted = z.strictObject({ channel, ts })
const Member = z.strictObject({ channel, user })
const Archived = z.strictObject({ channel, archived: z.boolean().default(true) })
const Added = z.strictObject({ name: z.string().min(1).max(20_000), private: z.boolean().default(false), count })
const Renamed = z.strictObject({ channel, name: z.string().min(1).max(20_000) })
const Person = z.strictObject({
  handle: z.string().min(1).max(80),
  name: z.string().max(20_000),
  bot: z.boolean().default(false)
})

/**
 * Changes of a workspace. Channels are named by id or name, people by id or handle.
 *
 * - `post {channel, user?, text?, at?, count?, subtype?, bot?, app?, blocks?, attachments?, files?}`, `reply {channel,
 * thread, user?, text?, at?, count?, broadcast?}`: return `{ts, all}`, the last message and all of them; several texts are numbered
 * - `edit {channel, ts, text}`, `delete {channel, ts}`: a root with replies leaves a tombstone
 * - `join {channel, user?}`: the message that a person joined; `invite`, `kick {channel, user?}`: change the members;
 * all return `{channel}`
 * - `add_channel {name, private?, count?}`: several are numbered; `archive {channel, archived?}`, `rename {channel,
 * name}`
 * - `add_person {handle, name, bot?}`: returns `{id}`
 */
export const CHANGES: Readonly<Record<string, SandboxChange>> = {
  post: change(Posted, (workspace, given, now) => {
    const to = requireChannel(workspace, given.channel)
    const { bot, app, blocks, attachments, files, subtype } = given
    const message = {
      ...(bot
        ? { botId: ROBOT, username: 'Robot', subtype: 'bot_message' }
        : { user: requireUser(workspace, given.user) }),
      ...(app !== undefined && { botId: addApp(workspace, app) }),
      ...(files.length > 0 && { subtype: 'file_share', files: files.map((file) => createFile(workspace, file)) }),
      ...(subtype !== undefined && { subtype }),
      ...(blocks !== undefined && { blocks }),
      ...(attachments !== undefined && { attachments })
    }
    return repeatPost(given, (text) => post(to, { at: given.at ?? now, ...message, text }))
  }),
  reply: change(Replied, (workspace, given, now) => {
    const to = requireChannel(workspace, given.channel)
    const { thread: root, broadcast } = given
    if (messageAt(to.timeline, root) === undefined && !to.threads.has(root))
      throw new Error(`message ${root} does not exist`)
    const said = { root, user: requireUser(workspace, given.user), broadcast }
    return repeatPost(given, (text) => reply(to, { at: given.at ?? now, ...said, text }))
  }),
  edit: change(Edited, (workspace, given, now) => {
    const message = requireMessage(requireChannel(workspace, given.channel), given.ts)
    message.text = given.text
    message.edited = {
      user: message.user ?? workspace.self,
      ts: `${String(Math.floor(now / 1000)).padStart(10, '0')}.000000`
    }
    return { ts: given.ts }
  }),
  delete: change(Deleted, (workspace, given) => deleteMessage(requireChannel(workspace, given.channel), given.ts)),
  join: change(Member, (workspace, given, now) => {
    const to = requireChannel(workspace, given.channel)
    const who = requireUser(workspace, given.user)
    to.members.add(who)
    return repeatPost({ text: `<@${who}> has joined the channel`, count: 1 }, (text) =>
      post(to, { at: now, user: who, subtype: 'channel_join', text })
    )
  }),
  invite: change(Member, (workspace, given) => {
    const to = requireChannel(workspace, given.channel)
    to.members.add(requireUser(workspace, given.user))
    return { channel: to.id }
  }),
  kick: change(Member, (workspace, given) => {
    const from = requireChannel(workspace, given.channel)
    from.members.delete(requireUser(workspace, given.user))
    return { channel: from.id }
  }),
  add_channel: change(Added, (workspace, given, now) => {
    const members = workspace.people.keys()
    const all = Array.from({ length: given.count }, (_, n) => {
      const name = given.count === 1 ? given.name : `${given.name}-${n + 1}`
      return addChannel(workspace, { name, isPrivate: given.private, members, at: now }).id
    })
    return { channel: all.at(-1), all }
  }),
  archive: change(Archived, (workspace, given) => {
    const which = requireChannel(workspace, given.channel)
    which.isArchived = given.archived
    return { channel: which.id }
  }),
  rename: change(Renamed, (workspace, given) => {
    const which = requireChannel(workspace, given.channel)
    which.name = given.name
    return { channel: which.id }
  }),
  add_person: change(Person, (workspace, given) => {
    workspace.serial += 1
    const { handle, name, bot } = given
    const id = createId('U', workspace.serial)
    workspace.people.set(id, { id, handle, realName: name, displayName: name, title: '', bot })
    return { id }
  })
}

function change<S extends z.ZodType>(
  schema: S,
  make: (workspace: Workspace, given: z.output<S>, now: number) => unknown
): SandboxChange {
  return ({ content }: SandboxAccount, input, { now }) => {
    const parsed = schema.safeParse(input)
    if (parsed.success) return make(content as Workspace, parsed.data, now)
    const [issue] = parsed.error.issues
    throw new Error(`${issue?.path.join('.') || 'the body'}: ${issue?.message ?? 'is invalid'}`)
  }
}

function requireChannel({ channels }: Workspace, named: string): Channel {
  const found = channels.get(named) ?? [...channels.values()].find(({ name }) => name === named)
  if (found === undefined) throw new Error(`channel ${named} does not exist`)
  return found
}

function requireUser({ people, self }: Workspace, named: string | undefined): string {
  const found =
    named === undefined ? self : [...people.values()].find(({ id, handle }) => named === id || named === handle)?.id
  if (found === undefined) throw new Error(`user ${named} does not exist`)
  return found
}

function requireMessage(from: Channel, which: string): Message {
  const found = findMessage(from, which)
  if (found === undefined) throw new Error(`message ${which} does not exist`)
  return found
}

/** Posts several messages with numbered texts. */
function repeatPost(
  { text, count }: { text: string; count: number },
  make: (text: string) => Message
): { ts: string; all: string[] } {
  const all = Array.from({ length: count }, (_, n) => make(count === 1 ? text : `${text} (${n + 1})`).ts)
  return { ts: all.at(-1) ?? '', all }
}

function createFile(workspace: Workspace, file: string | ({ name: string } & Record<string, unknown>)) {
  return typeof file === 'string' ? addFile(workspace, file) : addFile(workspace, file.name, file)
}

/** Deletes a message. The tombstone of a root is removed with its last reply. */
function deleteMessage(from: Channel, which: string): { ts: string } {
  const message = requireMessage(from, which)
  remove(from.timeline, which)
  const root = message.threadTs
  if (root === undefined) {
    if (from.threads.has(which)) insert(from.timeline, { ...TOMBSTONE, ts: which })
    return { ts: which }
  }
  const replies = from.threads.get(root) ?? []
  remove(replies, which)
  if (replies.length === 0) from.threads.delete(root)
  if (replies.length === 0 && messageAt(from.timeline, root)?.subtype === TOMBSTONE.subtype) remove(from.timeline, root)
  return { ts: which }
}

const TOMBSTONE = { subtype: 'tombstone', user: 'USLACKBOT', text: 'This message was deleted.' } as const
