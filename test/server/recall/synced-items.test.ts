import { expect, test } from 'vitest'
import { cloudDriveProvider } from '../../../server/providers/cloud-drive/cloud-drive-provider.ts'
import { mailboxProvider } from '../../../server/providers/mailbox/mailbox-provider.ts'
import type { ItemContent } from '../../../server/providers/port/provider.ts'
import { toProviderReader } from '../../../server/providers/port/to-provider-reader.ts'
import { teamChatProvider } from '../../../server/providers/team-chat/team-chat-provider.ts'
import { cloudDriveSandbox } from '../../../server/sandbox/cloud-drive/cloud-drive-sandbox.ts'
import { mailboxSandbox } from '../../../server/sandbox/mailbox/mailbox-sandbox.ts'
import type { Workspace } from '../../../server/sandbox/team-chat/content.ts'
import { teamChatSandbox } from '../../../server/sandbox/team-chat/team-chat-sandbox.ts'
import type { MemoryResponse } from '../../../src/contract/memory-response.ts'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import { draftMemories } from '../../../src/documents/chunking/draft-memories.ts'
import { localReaders } from '../../documents/documents-kit.ts'
import type { ProviderSuiteOptions } from '../../suites/provider-suite.ts'
import { suiteWorld } from '../../suites/provider-suite-world.ts'
import { manualClock } from '../http/manual-clock.ts'
import { MARA, named } from '../providers/cloud-drive/drive-kit.ts'
import { ADA } from '../providers/mailbox/mail-kit.ts'
import { collection, parsed, question, recallBench } from './recall-kit.ts'

const A = '00000000-0000-7000-8000-00000000000a'
const NOW = Date.parse('2026-03-04T05:06:07.089Z')

const documents = () => toProviderReader(localReaders(manualClock()).of('a connection'))

type World = Pick<ProviderSuiteOptions, 'provider' | 'sandboxProvider' | 'account' | 'selection' | 'documents'>

const CHAT: World = {
  ...{ provider: teamChatProvider, sandboxProvider: teamChatSandbox, account: 'T0000000001:U00000000RS' },
  selection: ({ content }) =>
    [...(content as Workspace).channels.values()].filter(({ name }) => name === 'general').map(({ id }) => id)
}

const DRIVE: World = {
  ...{ provider: cloudDriveProvider, sandboxProvider: cloudDriveSandbox, account: MARA, documents },
  selection: (account) => [named(account, 'Tidewater Library').id]
}

const MAILS: World = {
  ...{ provider: mailboxProvider, sandboxProvider: mailboxSandbox, account: ADA, documents },
  selection: () => []
}

type Items = { provider: ProviderId; items: readonly ItemContent[] }

/** Reads the items of the sandbox's account with the adapter. */
async function itemsOf(world: World): Promise<Items> {
  const { sync } = await suiteWorld(world as ProviderSuiteOptions)
  const small = sync()
  await small.follow()
  const items = [...small.items.values()].flatMap(({ content }) => content ?? [])
  return { provider: world.provider.facts.id, items }
}

/** Stores items in an empty collection and searches it. */
async function asked({ provider, items }: Items, query: string): Promise<MemoryResponse> {
  const { engine, storage } = await recallBench()
  await collection(storage, A)
  const drafts = items.flatMap((item) => [...draftMemories(item, { source: provider })])
  const inputs = drafts.map(({ text, metadata, shownAt }) => ({ text, metadata, nowMs: shownAt ?? NOW, copy: 1 }))
  for (const one of await engine.rememberAll(inputs, new AbortController().signal))
    if ('batch' in one) await storage.append(A, one.batch)
  return parsed(await engine.searchCollections([A], question(query)))
}

const filler = (about: string) =>
  Array.from({ length: 40 }, (_, i) => `Rule ${i} of ${about} says what people do about ${about} on day ${i}.`).join(
    ' '
  )

const HANDBOOK: Items = {
  provider: 'notes',
  items: [
    {
      ...{ id: 'page-1', title: 'Harbour Lane handbook', url: 'https://notes.example/page-1' },
      parts: [
        {
          at: NOW,
          text: `# Handbook\n\n## Travel\n\n${filler('trains')}\n\n## Visitors\n\n${filler('guests')}\n\nThe door of the archive opens with the code 4417.\n\n## Waste\n\n${filler('paper')}`
        }
      ]
    }
  ]
}

test('finds a channel message with speaker, time and URL', async () => {
  const { sources } = await asked(await itemsOf(CHAT), 'Where do we meet on team day?')
  expect(sources[0]).toMatchObject({ speaker: 'Ada', title: 'general', url: expect.stringContaining('/archives/') })
  expect(sources[0]?.text).toContain('Sailing Hall')
  expect(sources[0]?.timestamp).toMatch(/^\d{4}-\d\d-\d\dT/)
})

test('finds the text of a document and extracts facts from it', async () => {
  const { sources, semantics } = await asked(await itemsOf(DRIVE), 'Which wood was chosen for the facade?')
  expect(sources[0]?.text).toMatch(/larch/i)
  expect(sources[0]?.metadata).toMatchObject({ conversation: expect.stringMatching(/^cloud_drive:/), position: 1 })
  expect(JSON.stringify(semantics)).toMatch(/larch/i)
})

test('finds a mail with its author, and its subject as title', async () => {
  const mails = await itemsOf(MAILS)
  const mail = mails.items.find(({ title, parts }) => title && parts[0]?.speaker)
  const { sources } = await asked(
    mails,
    `${mail?.parts[0]?.speaker} ${mail?.title} ${mail?.parts[0]?.text.slice(0, 80)}`
  )
  expect(sources[0]).toMatchObject({ speaker: mail?.parts[0]?.speaker, title: mail?.title, url: mail?.url })
})

test('finds the chunk of a long document with its section', async () => {
  const { sources } = await asked(HANDBOOK, 'code of the archive door')
  expect(sources[0]?.text).toContain('4417')
  expect(sources[0]?.text.length).toBeLessThanOrEqual(2000)
  expect(sources[0]).toMatchObject({ title: 'Harbour Lane handbook', metadata: { section: 'Handbook > Visitors' } })
})

test('finds a section by its heading and the title of the document', async () => {
  const { sources } = await asked(HANDBOOK, 'Harbour Lane handbook waste')
  expect(sources[0]).toMatchObject({ metadata: { item: 'page-1', section: 'Handbook > Waste' } })
})
