import { expect, test } from 'vitest'
import { cloudDriveProvider } from '../../../../server/providers/cloud-drive/cloud-drive-provider.ts'
import { cloudDriveSandbox } from '../../../../server/sandbox/cloud-drive/cloud-drive-sandbox.ts'
import { FOLDER_TYPE, getContent, putNode, SHORTCUT_TYPE } from '../../../../server/sandbox/cloud-drive/content.ts'
import { FRESH } from '../../../../server/sandbox/cloud-drive/seed-accounts.ts'
import { expectSame } from '../../../suites/provider-suite-content.ts'
import { type SuiteWorld, suiteWorld } from '../../../suites/provider-suite-world.ts'
import { heldBy, MARA, named } from './drive-kit.ts'

const OPTIONS = {
  provider: cloudDriveProvider,
  sandboxProvider: cloudDriveSandbox,
  account: MARA,
  selection: (account: SuiteWorld['account']) => [named(account, 'Drawings').id],
  holds: heldBy,
  edits: [],
  listing: 'drive.files.list'
} as const

/** Adds a node to the account without recording a change, as if it had existed before. */
function put({ account }: SuiteWorld, node: { id: string; parent: string; mimeType: string; target?: string }): string {
  const bytes = Buffer.from(`text of ${node.id}`)
  putNode(getContent(account), { ...FRESH, bytes, name: node.id, createdAt: 0, modifiedAt: 0, ...node })
  return node.id
}

test('lists 200 levels of folders with shortcuts back to the top once', async () => {
  const world = await suiteWorld(OPTIONS)
  const top = named(world.account, 'Drawings').id
  let parent = top
  for (let level = 0; level < 200; level += 1) {
    put(world, { id: `file${level}`, parent, mimeType: 'text/plain' })
    put(world, { id: `back${level}`, parent, mimeType: SHORTCUT_TYPE, target: level % 2 === 0 ? top : parent })
    parent = put(world, { id: `level${level}`, parent, mimeType: FOLDER_TYPE })
  }
  const sync = world.sync()
  await sync.follow()
  expectSame(sync, world)
  await world.change('trash', { id: 'level0' })
  await sync.follow()
  expectSame(sync, world)
  expect([...sync.ledger.keys()].filter((key) => /level\d\d/.test(key))).toEqual([])
})

test('pages through a folder of 5,000 files with a small cursor', async () => {
  const world = await suiteWorld(OPTIONS)
  const parent = named(world.account, 'Drawings').id
  for (let i = 0; i < 5000; i += 1) put(world, { id: `many${i}`, parent, mimeType: 'text/plain' })
  const from = { selection: world.selection, cursor: undefined as string | undefined }
  const ledger = new Map<string, string>()
  const call = {
    ...world.call(),
    ledger: { get: async (key: string) => ledger.get(key), entries: async () => new Map() }
  }
  const seen = new Set<string>()
  for (let more = true; more; ) {
    const page = await cloudDriveProvider.changes(call, from)
    for (const { id } of page.seen) seen.add(id)
    for (const [key, value] of page.ledger ?? []) if (value !== undefined) ledger.set(key, value)
    expect(page.seen.length).toBeLessThanOrEqual(1500)
    expect(page.cursor.length).toBeLessThan(1000)
    from.cursor = page.cursor
    more = page.more
  }
  expect(seen.size).toBe(5002)
})

test('browses 5,000 folders with few requests, and reports correctly which have subfolders', async () => {
  const world = await suiteWorld(OPTIONS)
  const parent = named(world.account, 'Drawings').id
  for (let i = 0; i < 5000; i += 1) {
    const id = put(world, { id: `folder${i}`, parent, mimeType: FOLDER_TYPE })
    if (i % 7 === 0) put(world, { id: `inner${i}`, parent: id, mimeType: FOLDER_TYPE })
    else if (i % 3 === 0) put(world, { id: `leaf${i}`, parent: id, mimeType: 'text/plain' })
  }
  let asked = 0
  world.around((fetch) => (request) => {
    asked += 1
    return fetch(request)
  })
  const found: { id: string; hasChildren: boolean }[] = []
  for await (const page of cloudDriveProvider.folders?.(world.call(), parent) ?? []) found.push(...page)
  expect(found).toHaveLength(5000)
  for (const { id, hasChildren } of found) expect(hasChildren, id).toBe(Number(id.slice('folder'.length)) % 7 === 0)
  expect(asked).toBeLessThan(80)
})

test('lists folders of My Drive, shared drives, and what others shared at the top level', async () => {
  const world = await suiteWorld(OPTIONS)
  await world.change('add_folder', { parent: null, name: 'From the engineer' })
  const found: { name: string; hasChildren: boolean }[] = []
  for await (const page of cloudDriveProvider.folders?.(world.call(), undefined) ?? []) found.push(...page)
  const named = Object.fromEntries(found.map(({ name, hasChildren }) => [name, hasChildren]))
  expect(named).toEqual({
    'Harbour Lane Studio': true,
    Personal: false,
    'Guild of Small Studios': true,
    'From the engineer': false
  })
})
