import {
  chooseUserName,
  classifyMessage,
  type SlackMessage,
  toSlackParts
} from '../../documents/slack/slack-message.ts'
import type { Names } from '../../documents/slack/to-plain-text.ts'
import { takeFiles, toEdited } from '../lines/chat-message.ts'
import { isMembers, type JsonMembers, listMembers, readJsonObjects, readText } from '../lines/read-json.ts'
import { toLines } from '../lines/to-lines.ts'
import { type FileTree, TreeError, type TreeFile } from '../port/file-tree.ts'
import type { FormatFacts, Given, Item } from '../port/format.ts'

/**
 * https://slack.com/help/articles/220556107: a folder for each channel with a file for each day, and lists of users and
 * channels.
 */
export const SLACK_FACTS: FormatFacts = {
  id: 'slack',
  name: 'an export of Slack',
  markers: [{ path: /[^/]\/\d{4}-\d\d-\d\d\.json$/, head: [/"ts"\s*:\s*"\d{10}\.\d{6}"/] }],
  edits: 'messages'
}

/** Names of people and channels by id, and the ids of channels by the names of their folders. */
type Workspace = { names: Map<string, string>; channels: Map<string, string> }

/** Converts each message as the connector of Slack does, so that both give the same memory ids. */
export async function* convertSlack(tree: FileTree, given: Given): AsyncGenerator<Item> {
  const workspace: Workspace = { names: new Map(), channels: new Map() }
  for (const file of tree.files) if (LISTS.test(file.path)) await readList(file, workspace)
  yield* takeFiles(tree, given, (file) =>
    /\/\d{4}-\d\d-\d\d\.json$/.test(file.path) ? convertDay(file, workspace) : undefined
  )
}

/** The files that describe the workspace and are not messages. */
const LISTS = /(^|\/)(users|channels|groups|dms|mpims)\.json$/

/** Reads a list. One that is damaged or missing leaves the ids in place of the names. */
async function readList(file: TreeFile, { names, channels }: Workspace): Promise<void> {
  const isUsers = /users\.json$/.test(file.path)
  try {
    for await (const part of readJsonObjects(file)) {
      const id = 'object' in part ? readText(part.object.id) : undefined
      if (!('object' in part) || id === undefined) continue
      const name = readText(part.object.name)
      if (isUsers) names.set(id, chooseUserName({ id, ...readUser(part.object) }))
      // A direct conversation has its id as the name of its folder.
      else if (name !== undefined) channels.set(name, id).set(id, id)
      if (!isUsers && name !== undefined) names.set(id, name)
    }
  } catch (error) {
    if (!(error instanceof TreeError)) throw error
  }
}

function readUser({ name, real_name, profile }: JsonMembers) {
  return { name: readText(name), real_name: readText(real_name), profile: readProfile(profile) }
}

function readProfile(profile: unknown) {
  if (!isMembers(profile)) return undefined
  return { display_name: readText(profile.display_name), real_name: readText(profile.real_name) }
}

async function* convertDay(file: TreeFile, workspace: Workspace): AsyncGenerator<Item> {
  const folder = file.path.split('/').at(-2) ?? ''
  const channel = { id: workspace.channels.get(folder) ?? folder, name: folder }
  let count = 0
  for await (const part of readJsonObjects(file)) {
    count += 1
    const path = `${file.path}#${count}`
    const message = 'object' in part ? readMessage(part.object) : undefined
    if (message === undefined) yield { kind: 'message', path, leftOut: 'malformed' }
    else {
      const edited = 'object' in part ? readEdited(part.object) : {}
      yield* convertMessage(message, { file, path, channel, names: workspace.names, edited })
    }
  }
}

/** The `ts` of a message: see `SlackMessage`. */
const TIME = /^\d{10}\.\d{6}$/

function readMessage(object: JsonMembers): SlackMessage | undefined {
  const ts = readText(object.ts)
  if (ts === undefined || !TIME.test(ts)) return undefined
  const thread = readText(object.thread_ts)
  return {
    ts,
    thread_ts: thread !== undefined && TIME.test(thread) ? thread : undefined,
    reply_count: typeof object.reply_count === 'number' ? object.reply_count : undefined,
    subtype: readText(object.subtype),
    hidden: object.hidden === true,
    user: readText(object.user),
    bot_id: readText(object.bot_id),
    username: readText(object.username),
    bot_profile: isMembers(object.bot_profile) ? { name: readText(object.bot_profile.name) } : undefined,
    text: readText(object.text),
    user_profile: readProfile(object.user_profile),
    blocks: listMembers(object.blocks),
    attachments: listMembers(object.attachments),
    files: listMembers(object.files ?? (isMembers(object.file) ? [object.file] : []))
  }
}

function readEdited({ edited }: JsonMembers): { edited?: string } {
  const ts = isMembers(edited) ? readText(edited.ts) : undefined
  return ts !== undefined && TIME.test(ts) ? toEdited(Math.round(Number(ts) * 1000)) : {}
}

type Place = {
  file: TreeFile
  path: string
  channel: { id: string; name: string }
  names: Names
  edited: { edited?: string }
}

function* convertMessage(message: SlackMessage, { file, path, channel, names, edited }: Place): Generator<Item> {
  const { kind } = classifyMessage(message)
  if (kind !== 'words') return yield { kind: 'message', path, leftOut: kind === 'deleted' ? 'deleted' : 'system' }
  const id = `${channel.id}/${message.thread_ts ?? message.ts}/${message.ts}`
  const lines = toLines(
    { id, title: channel.name, parts: toSlackParts(message, channel.id, names) },
    { format: SLACK_FACTS.id, id, path: file.path, namespace: 'team_chat' }
  )
  yield lines.length === 0
    ? { kind: 'message', path, leftOut: 'empty' }
    : { kind: 'message', path, lines, replaces: id, ...edited }
  const count = message.files?.length ?? 0
  if (count > 0) yield { kind: 'attachment', path, leftOut: 'attachment', count }
}
