import { cloudDriveProvider } from '../../../../server/providers/cloud-drive/cloud-drive-provider.ts'
import { mailboxProvider } from '../../../../server/providers/mailbox/mailbox-provider.ts'
import { teamChatProvider } from '../../../../server/providers/team-chat/team-chat-provider.ts'
import { cloudDriveSandbox } from '../../../../server/sandbox/cloud-drive/cloud-drive-sandbox.ts'
import { type DriveNode, FOLDER_TYPE, getContent } from '../../../../server/sandbox/cloud-drive/content.ts'
import type { SandboxAccount } from '../../../../server/sandbox/core/sandbox-provider.ts'
import type { MailboxContent } from '../../../../server/sandbox/mailbox/content.ts'
import { mailboxSandbox } from '../../../../server/sandbox/mailbox/mailbox-sandbox.ts'
import type { Workspace as NotesWorkspace } from '../../../../server/sandbox/notes/content.ts'
import type { Workspace } from '../../../../server/sandbox/team-chat/content.ts'
import { teamChatSandbox } from '../../../../server/sandbox/team-chat/team-chat-sandbox.ts'
import type { ConnectionConfig } from '../../../../src/contract/connection.ts'
import { readMail } from '../../../../src/documents/mail/read-mail.ts'
import type { DocumentReader } from '../../../../src/documents/port/document-reader.ts'
import type { ProviderSuiteOptions } from '../../../suites/provider-suite.ts'
import type { SuiteWorld } from '../../../suites/provider-suite-world.ts'
import { heldBy, MARA, named } from '../../providers/cloud-drive/drive-kit.ts'
import { heldIds, BEN as MAIL_BEN } from '../../providers/mailbox/mail-kit.ts'
import { BEN as NOTES_BEN, NOTES_SUITE } from '../../providers/notes/notes-kit.ts'
import { writtenIn } from '../../providers/team-chat/chat-kit.ts'
import type { Chance } from './seeded.ts'

/** One of the sandbox providers with the operations of the storm. */
export type StormSource = {
  options: ProviderSuiteOptions
  /** The selections that a user can choose. */
  configs(account: SandboxAccount): readonly ConnectionConfig[]
  /** The operations for which failures are ordered. */
  operations: readonly string[]
  /** Changes some part of the content. */
  change(world: SuiteWorld, chance: Chance, text: string): Promise<unknown>
}

const TEXTS: DocumentReader = {
  readText: async (bytes) => ({ text: Buffer.from(bytes).toString('latin1').slice(0, 5000), cut: false }),
  readMail: readMail
}

const drive: StormSource = {
  options: {
    provider: cloudDriveProvider,
    sandboxProvider: cloudDriveSandbox,
    account: MARA,
    selection: () => [],
    holds: (account, selection) => heldBy(account, selection),
    documents: () => TEXTS,
    edits: [],
    listing: 'drive.files.list'
  },
  configs: (account) =>
    [['Tidewater Library'], ['Tidewater Library', 'Drawings'], ['Meeting notes'], ['Personal', 'Rates']].map(
      (names) => ({
        folder_ids: names.map((name) => named(account, name).id)
      })
    ),
  operations: ['drive.files.list', 'drive.files.get', 'drive.files.export', 'drive.changes.list'],
  change: changeDrive
}

async function changeDrive(world: SuiteWorld, chance: Chance, text: string): Promise<unknown> {
  const { root, nodes } = getContent(world.account)
  const mine = [...nodes.values()].filter(({ id, driveId }) => id !== root && driveId === undefined)
  const folders = mine.filter(({ mimeType }) => mimeType === FOLDER_TYPE)
  const files = mine.filter(({ mimeType }) => mimeType !== FOLDER_TYPE)
  const { id } = chance.pick(chance.percent(80) ? files : mine)
  const { id: folder } = chance.pick(folders)
  const what = chance.pick(['add', 'add', 'edit', 'edit', 'rename', 'trash', 'restore', 'delete', 'move'] as const)
  if (what === 'add') return await world.change('add_file', { parent: folder, name: `${text}.txt`, text })
  if (what === 'edit') return await world.change('edit_file', { id, text })
  if (what === 'rename') return await world.change('rename', { id, name: text })
  if (what === 'delete') return await world.change('delete', { id: chance.pick(files).id })
  if (what === 'move')
    return isBelow(world, folder, id) ? undefined : await world.change('move', { id, parent: folder })
  return await world.change('trash', { id, trashed: what === 'trash' })
}

/** Returns whether a folder is the given one or below it. A folder cannot be moved into itself. */
function isBelow({ account }: SuiteWorld, id: string, folder: string): boolean {
  const { nodes } = getContent(account)
  for (let one: DriveNode | undefined = nodes.get(id); one !== undefined; one = nodes.get(one.parent ?? ''))
    if (one.id === folder) return true
  return false
}

const mail: StormSource = {
  options: {
    provider: mailboxProvider,
    sandboxProvider: mailboxSandbox,
    account: MAIL_BEN,
    selection: () => [],
    holds: ({ content }) => new Map(heldIds(content as MailboxContent).map((id) => [id, ''])),
    documents: () => TEXTS,
    edits: [],
    listing: 'gmail.users.messages.list'
  },
  configs: () => [{}],
  operations: [
    ...['gmail.users.messages.list', 'gmail.users.messages.get', 'gmail.users.history.list'],
    'gmail.users.messages.attachments.get'
  ],
  async change(world, chance, text) {
    const { messages } = world.account.content as MailboxContent
    const id = chance.pick([...messages.keys()])
    const what = chance.pick([
      'receive',
      'receive',
      'trash',
      'untrash',
      'spam',
      'unspam',
      'delete',
      'label',
      'expire'
    ] as const)
    if (what === 'receive') {
      const base64 = Buffer.from(`The file of ${text}`).toString('base64')
      const attachments = chance.percent(40) ? [{ name: `${text}.txt`, type: 'text/plain', base64 }] : undefined
      return await world.change('receive', { subject: text, text, attachments, count: 1 + chance.number(3) })
    }
    if (what === 'label') return await world.change('label', { id, add: ['STARRED'] })
    if (what === 'expire') return await world.change('expire_history', {})
    return await world.change(what, { id })
  }
}

const CHANNELS = ['general', 'firmware', 'leads']

const chat: StormSource = {
  options: {
    provider: teamChatProvider,
    sandboxProvider: teamChatSandbox,
    account: 'T0000000001:U00000000RS',
    selection: () => [],
    holds: (account, selection) => writtenIn(account.content as Workspace, selection),
    edits: [],
    listing: 'conversations.history'
  },
  configs: (account) =>
    [CHANNELS, ['general'], ['firmware', 'random'], ['leads', 'general']].map((names) => ({
      channel_ids: names.map((name) => channelCalled(account, name))
    })),
  operations: ['conversations.history', 'conversations.replies', 'conversations.info', 'users.list'],
  async change(world, chance, text) {
    const channel = channelCalled(world.account, chance.pick(CHANNELS))
    const { timeline = [], threads } = (world.account.content as Workspace).channels.get(channel) ?? {}
    const { ts } = chance.pick([...timeline, ...[...(threads?.values() ?? [])].flat()])
    // Replies that were also sent to the channel appear in it but start no thread.
    const root = chance.pick(timeline.filter((message) => (message.threadTs ?? message.ts) === message.ts)).ts
    const what = chance.pick(['post', 'post', 'reply', 'edit', 'delete', 'join'] as const)
    if (what === 'post') return await world.change('post', { channel, text })
    if (what === 'reply')
      return await world.change('reply', { channel, thread: root, text, count: 1 + chance.number(3) })
    if (what === 'join') return await world.change('join', { channel })
    return await world.change(what, { channel, ts, ...(what === 'edit' && { text }) })
  }
}

function channelCalled({ content }: SandboxAccount, name: string): string {
  const found = [...(content as Workspace).channels.values()].find((channel) => channel.name === name)
  if (found === undefined) throw new Error(`there is no ${name}`)
  return found.id
}

const notes: StormSource = {
  options: { ...NOTES_SUITE, account: NOTES_BEN, edits: [] },
  configs: () => [{}],
  operations: ['post-search', 'retrieve-a-page', 'retrieve-page-markdown', 'query-data-source'],
  async change(world, chance, text) {
    const { pages } = world.account.content as NotesWorkspace
    const { id: page } = chance.pick([...pages.values()])
    const { id: parent } = chance.pick([...pages.values()].filter(({ trashed }) => !trashed))
    const what = chance.pick([
      'add_page',
      'add_page',
      'edit_page',
      'edit_page',
      'append_block',
      'trash',
      'restore'
    ] as const)
    if (what === 'add_page')
      return await world.change(what, { title: text, text, ...(chance.percent(70) && { parent }) })
    if (what === 'edit_page' || what === 'append_block') return await world.change(what, { page, text })
    return await world.change(what, { id: page })
  }
}

/** All storm sources by name. */
export const STORM_SOURCES = { drive, mail, chat, notes }
