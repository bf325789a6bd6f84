import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { getContent } from '../../server/sandbox/cloud-drive/content.ts'
import type { MailboxContent, StoredMessage } from '../../server/sandbox/mailbox/content.ts'
import type { Channel, Message, Workspace } from '../../server/sandbox/team-chat/content.ts'
import { messageView, personView } from '../../server/sandbox/team-chat/views.ts'
import type { MemoryRecord } from '../../src/contract/snapshot.ts'
import { bench } from '../device/device-kit.ts'
import { localReaders } from '../documents/documents-kit.ts'
import { manualClock } from '../server/http/manual-clock.ts'
import { STORM_SOURCES, type StormSource } from '../server/sync/storm/storm-sources.ts'
import { openSqlite } from '../server/sync/storm/storm-storages.ts'
import { type StormWorld, stormWorld } from '../server/sync/storm/storm-world.ts'
import { folderOf, ingestPath } from './ingest-kit.ts'

/** Writes a message as Google Takeout does. */
function toTakeout({ id, threadId, labels, at, raw }: StoredMessage): string {
  const names = labels.map((label) => TAKEOUT_LABELS[label] ?? label)
  const text = Buffer.from(raw)
    .toString('latin1')
    .replaceAll('\r\n', '\n')
    .replace(/^(>*From )/gm, '>$1')
  return [
    `From ${BigInt(`0x${id}`)}@xxx ${new Date(at).toUTCString().replace(/^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/, '$1 $3 $2 $5 +0000 $4')}`,
    `X-GM-THRID: ${BigInt(`0x${threadId}`)}`,
    `X-Gmail-Labels: ${names.join(',')}`,
    text,
    ''
  ].join('\n')
}

const TAKEOUT_LABELS: Readonly<Record<string, string>> = {
  INBOX: 'Inbox',
  SENT: 'Sent',
  DRAFT: 'Drafts',
  SPAM: 'Spam',
  TRASH: 'Trash',
  CHAT: 'Chat'
}

/**
 * A world with the real readers, which run in this process. Neither their clock nor that of the sync moves while they
 * read, so that load never ends a reading.
 */
async function worldWithReaders(source: StormSource): Promise<StormWorld> {
  const readers = localReaders(manualClock())
  const isBusy = (): boolean => readers.state().reading + readers.state().waiting > 0
  const options = { ...source.options, documents: () => readers.of('test') }
  return await stormWorld({ ...source, options }, async (clock) => ({ ...(await openSqlite(clock)), isBusy }))
}

/** Returns the id of a memory after what it is computed from, so that a difference is readable. */
function pickIdentity({ id, text, speaker, conversation, at }: MemoryRecord): string {
  return JSON.stringify([conversation, at, speaker, text, id])
}

function readMemories(lines: readonly string[]): MemoryRecord[] {
  return lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'memory')
}

test('gives the mail of an mbox and its attachments the same memory ids as a sync of the mailbox', async () => {
  const storm = await worldWithReaders(STORM_SOURCES.mail)
  const attachments = Object.entries(ATTACHED).map(([name, text]) => ({ name, base64: toBase64(text) }))
  await storm.world.change('receive', { subject: 'The files', text: 'All of them.', attachments })
  for (const raw of [FORWARDING, INVITING, ANSWERING]) await storm.world.change('receive', { raw: raw.join('\r\n') })
  await storm.sync()
  const synced = (await storm.kit.memories()).map(pickIdentity).sort()
  const { messages } = storm.world.account.content as MailboxContent
  const mbox = Buffer.from([...messages.values()].map(toTakeout).join(''), 'latin1')
  const { device, lines } = await bench()
  const report = await ingestPath(device, folderOf({ 'All mail Including Spam and Trash.mbox': mbox }))
  expect(report.format).toBe('mail')
  expect(readMemories(lines()).map(pickIdentity).sort()).toEqual(synced)
  expect(synced.length).toBeGreaterThan(20)
  expect(Object.keys(ATTACHED).filter((name) => !synced.some((one) => one.includes(`/${name}"`)))).toEqual(['logo.png'])
  const all = synced.join('\n')
  for (const words of ['The hull leaks.', 'Invitation: Tea', '> Leaks?\nNo.'])
    expect(all).toContain(JSON.stringify(words).slice(1, -1))
})

const MULTIPART = ['Content-Type: multipart/mixed; boundary=b', '', '--b', 'Content-Type: text/plain', '']

const FORWARDING = [
  ...['From: Ada <ada@example.org>', 'Subject: Fwd: Hull', 'Message-ID: <f@example.org>', ...MULTIPART, 'Look.', '--b'],
  ...['Content-Type: message/rfc822', '', 'From: Bob <bob@example.org>', 'Date: Mon, 3 Mar 2025 10:12:00 +0100', ''],
  ...['The hull leaks.', '--b--', '']
]

const INVITING = [
  ...['From: Ada <ada@example.org>', 'Subject: Tea', 'Message-ID: <i@example.org>', ...MULTIPART, 'Come.', '--b'],
  ...['Content-Type: text/calendar; method=REQUEST', '', 'BEGIN:VEVENT', 'SUMMARY:Tea', 'DTSTART:20250310T090000Z'],
  ...['ORGANIZER:mailto:ada@example.org', 'END:VEVENT', '--b--', '']
]

const ANSWERING = [
  ...[
    'From: Ada <ada@example.org>',
    'Subject: Re: Hull',
    'Message-ID: <a@example.org>',
    'In-Reply-To: <h@example.org>'
  ],
  ...['', 'On 3 Mar 2025 at 10:12, Bob wrote:', '> Leaks?', 'No.', '> Rust?', 'A little.', '']
]

const ATTACHED = {
  'Größe 1.md': '# Sizes\n\nThe hull is nine metres long.',
  'crew.csv': 'Name,Role\nAda,Captain\nBen,Cook\n',
  'page.html': '<h1>Harbour</h1><p>Open until ten.</p>',
  'logo.png': 'not read'
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64')
}

test('gives the files of a folder the same texts as a sync of the drive', async () => {
  const storm = await worldWithReaders(STORM_SOURCES.drive)
  await storm.configure({ folder_ids: [...new Set(storm.configs.flatMap(({ folder_ids = [] }) => folder_ids))] })
  await storm.sync()
  const { nodes } = getContent(storm.world.account)
  const isPlain = (id: string): boolean => !/google-apps/.test(nodes.get(id)?.mimeType ?? 'google-apps')
  const synced = (await storm.kit.memories()).filter(({ metadata }) => isPlain(String(metadata?.item)))
  const files = [...storm.holds()].filter(isPlain).flatMap((id) => {
    const node = nodes.get(id)
    return node === undefined ? [] : [[`${id}/${node.name}`, node.bytes] as const]
  })
  const { device, lines } = await bench()
  await ingestPath(device, folderOf(Object.fromEntries(files)), { from: 'documents' })
  const describe = (id: string, { text, undated, metadata }: MemoryRecord): string =>
    JSON.stringify([id, metadata?.title, metadata?.section, undated, text])
  const ingested = readMemories(lines()).map((memory) => {
    const [, id = ''] = /"path":"([^/"]+)/.exec(JSON.stringify(memory.metadata)) ?? []
    return describe(id, memory)
  })
  expect(ingested.sort()).toEqual(synced.map((memory) => describe(String(memory.metadata?.item), memory)).sort())
  expect(ingested.length).toBeGreaterThan(2)
})

/** Writes channels as Slack exports them: a file for each day of a channel, which has the replies of that day too. */
function toSlackExport(workspace: Workspace, ids: readonly string[]): Record<string, string> {
  const channels = [...workspace.channels.values()].filter(({ id }) => ids.includes(id))
  const files = new Map<string, object[]>([
    ['users.json', [...workspace.people.values()].map((person) => personView(person, workspace))],
    ['channels.json', channels.map(({ id, name }) => ({ id, name }))]
  ])
  for (const channel of channels)
    for (const message of listMessages(channel)) {
      const day = new Date(Number(message.ts) * 1000).toISOString().slice(0, 10)
      const path = `${channel.name}/${day}.json`
      files.set(path, [...(files.get(path) ?? []), messageView(channel, message, workspace)])
    }
  return Object.fromEntries([...files].map(([path, list]) => [path, JSON.stringify(list)]))
}

/** Lists the messages of a channel and its threads by time. Replies that were also sent to the channel occur once. */
function listMessages({ timeline, threads }: Channel): Message[] {
  const all = new Map([...timeline, ...[...threads.values()].flat()].map((message) => [message.ts, message]))
  return [...all.values()].sort((one, other) => (one.ts < other.ts ? -1 : 1))
}

test('gives the messages of people in an export of Slack the same memory ids as a sync of the workspace', async () => {
  const storm = await stormWorld(STORM_SOURCES.chat)
  await storm.sync()
  const synced = (await storm.kit.memories()).map(pickIdentity)
  const workspace = storm.world.account.content as Workspace
  const { device, lines } = await bench()
  const report = await ingestPath(device, folderOf(toSlackExport(workspace, storm.config.channel_ids ?? [])))
  const ingested = readMemories(lines())
  expect(report.format).toBe('slack')
  expect(synced.length).toBeGreaterThan(20)
  expect(ingested.map(pickIdentity)).toEqual(expect.arrayContaining(synced))
  // Messages of apps are words too: an import takes them even if a sync does not.
  const apps = [...workspace.channels.values()].flatMap(listMessages).filter(({ botId }) => botId !== undefined)
  const times = new Set(apps.map(({ ts }) => new Date(Math.floor(Number(ts) * 1000)).toISOString()))
  const others = ingested.filter((memory) => !synced.includes(pickIdentity(memory)))
  expect(others.filter(({ at }) => !times.has(at))).toEqual([])
})
