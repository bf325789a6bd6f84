import {
  createContent,
  type DriveNode,
  FOLDER_TYPE,
  getContent,
  putNode
} from '../../server/sandbox/cloud-drive/content.ts'
import { FRESH, newId } from '../../server/sandbox/cloud-drive/seed-accounts.ts'
import type { SandboxAccount, SandboxProvider, Seed } from '../../server/sandbox/core/sandbox-provider.ts'
import { createMailbox, type MailboxContent } from '../../server/sandbox/mailbox/content.ts'
import type { Workspace as NotesWorkspace } from '../../server/sandbox/notes/content.ts'
import { SANDBOX_PROVIDERS } from '../../server/sandbox/sandbox-providers.ts'
import { addChannel, makeWorkspace, type Workspace } from '../../server/sandbox/team-chat/content.ts'
import type { ConnectionConfig } from '../../src/contract/connection.ts'
import { PROVIDER_IDS, type ProviderId } from '../../src/contract/provider-ids.ts'
import { heldBy } from '../server/providers/cloud-drive/drive-kit.ts'
import { wantedIds } from '../server/providers/mailbox/mail-kit.ts'
import { shownPages } from '../server/providers/notes/notes-kit.ts'
import { writtenIn } from '../server/providers/team-chat/chat-kit.ts'
import { EPOCH_MS } from './node.ts'

/**
 * The accounts of the simulation: one at each sandbox provider, almost empty at first. Every text in them contains a
 * unique token, such as `tok17x`, which identifies its memory.
 */
export type Accounts = {
  /** The sandbox providers of the product, with these accounts instead of the sample content. */
  providers: readonly SandboxProvider[]
  account(provider: ProviderId): SandboxAccount
  /** Returns the folders or channels that may be selected; none if the provider syncs everything. */
  places(provider: ProviderId): readonly string[]
  /** Returns the tokens that the selection contains at this moment. */
  held(provider: ProviderId, config: ConnectionConfig): Set<string>
  /** Changes the content as a person would at the provider. Does nothing if there is nothing to change in this way. */
  change(provider: ProviderId, change: ContentChange, nowMs: number): void
  /** Moves files to the trash, or out of it, without recording a change, as if the provider had lost its index. */
  hideFiles(isHidden: boolean): void
}

/** Changes content. `pick` chooses the object and the destination; the change is made `count` times. */
export type ContentChange = SingleChange & { count: number }

type SingleChange = { what: ContentVerb; pick: number; token: string }

export type ContentVerb = 'add' | 'edit' | 'remove' | 'restore' | 'move' | 'rename' | 'share'

export const CONTENT_VERBS: readonly ContentVerb[] = ['add', 'edit', 'remove', 'restore', 'move', 'rename', 'share']

export function createAccounts(): Accounts {
  const random = createCounter()
  const made = Object.fromEntries(PROVIDER_IDS.map((id) => [id, MAKE[id]({ now: EPOCH_MS, random })])) as Record<
    ProviderId,
    SandboxAccount
  >
  const hidden = new Set<DriveNode>()
  return {
    providers: SANDBOX_PROVIDERS.map((one) => ({ ...one, accounts: () => [made[one.id]] })),
    account: (provider) => made[provider],
    places: (provider) => listPlaces(made[provider], provider),
    held(provider, config) {
      // Hidden files still exist: the provider only seems to have lost them.
      for (const node of hidden) node.trashed = false
      const tokens = listTexts(made[provider], provider, config).flatMap(findTokens)
      for (const node of hidden) node.trashed = true
      return new Set(tokens)
    },
    change(provider, { count, ...change }, nowMs) {
      const { changes } = SANDBOX_PROVIDERS.find(({ id }) => id === provider) ?? { changes: NO_CHANGES }
      for (let at = 0; at < count; at += 1) {
        const token = at === 0 ? change.token : change.token.replace('tok', `tok${at}n`)
        const action = CHOOSE[provider](made[provider], { ...change, token })
        if (action !== undefined) changes[action.name]?.(made[provider], action.input, { now: nowMs, random })
      }
    },
    hideFiles(isHidden) {
      const { nodes } = getContent(made.cloud_drive)
      const files = [...nodes.values()].filter(({ mimeType, trashed }) => mimeType !== FOLDER_TYPE && !trashed)
      for (const node of isHidden ? files : hidden) node.trashed = isHidden
      hidden.clear()
      if (isHidden) for (const node of files) hidden.add(node)
    }
  }
}

const NO_CHANGES: SandboxProvider['changes'] = {}

/** Returns numbers in [0, 1) that never repeat, so that ids are unique. */
function createCounter(): () => number {
  let count = 0
  return () => {
    count += 1
    return (count * 0.6180339887498949) % 1
  }
}

const PERSON = { name: 'Ada Moreau', email: 'ada@example.com' }

const MAKE: Readonly<Record<ProviderId, (seed: Seed) => SandboxAccount>> = {
  cloud_drive({ now, random }) {
    const user = { id: '100200300', ...PERSON }
    const content = createContent(user, newId(random))
    const folder = (id: string, name: string, parent: string | undefined) =>
      putNode(content, {
        ...FRESH,
        ...{ id, name, mimeType: FOLDER_TYPE, createdAt: now, modifiedAt: now },
        ...(parent !== undefined && { parent })
      })
    folder(content.root, 'My Drive', undefined)
    for (const name of ['North', 'South']) folder(newId(random), name, content.root)
    return { ...user, content }
  },
  team_chat({ now }) {
    const people = ['ada', 'ben'].map((handle) => {
      return { handle, realName: handle, displayName: handle, title: '', bot: false }
    })
    const workspace = makeWorkspace(7, { name: 'Harbour', domain: 'harbour', people })
    for (const name of ['north', 'south'])
      addChannel(workspace, { name, members: workspace.people.keys(), at: now - 1000 })
    return { id: `${workspace.team.id}:${workspace.self}`, ...PERSON, content: workspace }
  },
  mailbox: () => ({ id: PERSON.email, ...PERSON, content: createMailbox() }),
  notes({ random }) {
    const workspaceId = newUuid(random)
    const content: NotesWorkspace = {
      ...{ id: workspaceId, name: 'Harbour', bot: { id: newUuid(random), name: 'memctl' } },
      people: [{ id: newUuid(random), ...PERSON }],
      ...{ pages: new Map(), databases: new Map(), sources: new Map(), newId: () => newUuid(random) }
    }
    return { id: workspaceId, ...PERSON, content }
  }
}

function newUuid(random: () => number): string {
  const hex = Array.from({ length: 4 }, () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  ).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

function listPlaces(account: SandboxAccount, provider: ProviderId): string[] {
  if (provider === 'team_chat') return [...(account.content as Workspace).channels.keys()]
  if (provider !== 'cloud_drive') return []
  const { nodes, root } = getContent(account)
  return [...nodes.values()].filter(({ id, mimeType }) => mimeType === FOLDER_TYPE && id !== root).map(({ id }) => id)
}

const TOKEN = /tok[0-9a-z]+x/g

/** Returns the tokens of a text, in their order. */
export function findTokens(text: string): string[] {
  return text.match(TOKEN) ?? []
}

function listTexts(account: SandboxAccount, provider: ProviderId, config: ConnectionConfig): string[] {
  const { content } = account
  if (provider === 'cloud_drive')
    return [...heldBy(account, config.folder_ids ?? []).values()].map((text) => text ?? '')
  if (provider === 'team_chat')
    return [...writtenIn(content as Workspace, config.channel_ids ?? []).values()].map((text) => text ?? '')
  if (provider === 'notes') return [...shownPages(account).values()]
  const { messages } = content as MailboxContent
  return wantedIds(content as MailboxContent).map((id) => Buffer.from(messages.get(id)?.raw ?? '').toString())
}

type Action = { name: string; input: unknown }

function pickFrom<T>(all: readonly T[], pick: number): T | undefined {
  return all.length === 0 ? undefined : all[pick % all.length]
}

function writeText(token: string): string {
  return `The harbour office keeps ${token} on pier nine.`
}

const CHOOSE: Readonly<Record<ProviderId, (account: SandboxAccount, change: SingleChange) => Action | undefined>> = {
  cloud_drive: chooseDriveAction,
  team_chat: chooseChatAction,
  mailbox: chooseMailAction,
  notes: chooseNotesAction
}

function chooseDriveAction(account: SandboxAccount, { what, pick, token }: SingleChange): Action | undefined {
  const { nodes } = getContent(account)
  const files = [...nodes.values()].filter(({ mimeType }) => mimeType !== FOLDER_TYPE)
  const parent = pickFrom(listPlaces(account, 'cloud_drive'), pick >> 4)
  const file = pickFrom(
    files.filter(({ trashed }) => trashed === (what === 'restore')),
    pick
  )
  if (what === 'add')
    return { name: 'add_file', input: { parent, name: `${token.slice(3)}.txt`, text: writeText(token) } }
  if (file === undefined) return undefined
  const { id } = file
  if (what === 'edit') return { name: 'edit_file', input: { id, text: writeText(token) } }
  if (what === 'rename') return { name: 'rename', input: { id, name: `named ${pick}.txt` } }
  if (what === 'move') return { name: 'move', input: { id, parent } }
  if (what === 'remove') return pick % 2 === 0 ? { name: 'trash', input: { id } } : { name: 'delete', input: { id } }
  return what === 'restore' ? { name: 'trash', input: { id, trashed: false } } : undefined
}

function chooseChatAction(account: SandboxAccount, { what, pick, token }: SingleChange): Action | undefined {
  const channel = pickFrom([...(account.content as Workspace).channels.values()], pick >> 4)
  if (channel === undefined) return undefined
  const at = { channel: channel.id }
  if (what === 'add') return { name: 'post', input: { ...at, text: writeText(token) } }
  const message = pickFrom(
    channel.timeline.filter(({ subtype }) => subtype === undefined),
    pick
  )
  if (message === undefined) return undefined
  const { ts } = message
  if (what === 'edit') return { name: 'edit', input: { ...at, ts, text: writeText(token) } }
  if (what === 'remove') return { name: 'delete', input: { ...at, ts } }
  if (what === 'share')
    return { name: 'reply', input: { ...at, thread: message.threadTs ?? ts, text: writeText(token) } }
  return what === 'rename' ? { name: 'join', input: { ...at } } : undefined
}

function chooseMailAction(account: SandboxAccount, { what, pick, token }: SingleChange): Action | undefined {
  const { messages } = account.content as MailboxContent
  const all = [...messages.values()]
  if (what === 'add') return { name: 'receive', input: { subject: 'Pier', text: writeText(token) } }
  const isTrashed = what === 'restore'
  const message = pickFrom(
    all.filter(({ labels }) => labels.includes('TRASH') === isTrashed),
    pick
  )
  if (message === undefined) return undefined
  const { id } = message
  if (what === 'remove') return { name: pick % 2 === 0 ? 'trash' : 'delete', input: { id } }
  if (what === 'restore') return { name: 'untrash', input: { id } }
  if (what === 'rename') return { name: 'label', input: { id, add: ['STARRED'] } }
  return what === 'share' ? { name: 'expire_history', input: {} } : undefined
}

function chooseNotesAction(account: SandboxAccount, { what, pick, token }: SingleChange): Action | undefined {
  const { pages } = account.content as NotesWorkspace
  const all = [...pages.values()]
  const live = all.filter(({ trashed }) => !trashed)
  if (what === 'add') {
    const parent = pick % 3 === 0 ? pickFrom(live, pick)?.id : undefined
    return {
      name: 'add_page',
      input: { title: 'Page', text: writeText(token), ...(parent !== undefined && { parent }) }
    }
  }
  const page = pickFrom(what === 'restore' ? all.filter(({ trashed }) => trashed) : live, pick)
  if (page === undefined) return undefined
  if (what === 'edit') return { name: 'edit_page', input: { page: page.id, text: writeText(token) } }
  if (what === 'rename') return { name: 'edit_page', input: { page: page.id, title: `Page ${pick}` } }
  if (what === 'remove') return { name: 'trash', input: { id: page.id } }
  if (what === 'restore') return { name: 'restore', input: { id: page.id } }
  return what === 'share' ? { name: pick % 2 === 0 ? 'share' : 'unshare', input: { id: page.id } } : undefined
}
