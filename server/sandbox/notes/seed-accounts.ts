import { readSeed } from '../core/read-seed.ts'
import type { SandboxAccount, Seed } from '../core/sandbox-provider.ts'
import type { ColumnType, Parent, Workspace } from './content.ts'
import { addDatabase, addPage, detach } from './edit.ts'

import seedFile from './seed.json' with { type: 'json' }

const DAY_MS = 24 * 3_600_000
const MINUTE_MS = 60_000
/** How long before its last edit a page was created. */
const GROWTH_MS = 12 * DAY_MS

/** Creates three accounts, each in its own workspace. */
export function seedAccounts(seed: Seed): SandboxAccount[] {
  const { workspaces } = readSeed<{ workspaces: readonly SeedWorkspace[] }>(seedFile)
  return workspaces.map((story) => {
    const { id, name, email } = story
    return { id, name, email, content: fillWorkspace(story, seed) }
  })
}

function fillWorkspace(story: SeedWorkspace, { now, random }: Seed): Workspace {
  const newId = () => createId(random)
  const host = story.email.replace(/.*@/, '')
  const people = [
    { id: newId(), name: story.name, email: story.email },
    ...story.people.map((name) => ({
      id: newId(),
      name,
      email: `${name.toLowerCase().replace(/[^a-z]+/g, '.')}@${host}`
    }))
  ]
  const workspace: Workspace = {
    id: story.id,
    name: story.workspace,
    bot: { id: newId(), name: 'memctl' },
    people,
    pages: new Map(),
    databases: new Map(),
    sources: new Map(),
    newId
  }
  for (const page of story.pages) addSeedPage(workspace, page, { parent: { in: 'workspace' }, now })
  return workspace
}

type Place = { parent: Parent; now: number }

function addSeedPage(workspace: Workspace, story: SeedPage, { parent, now }: Place): void {
  const { title, text, hidden, daysAgo } = story
  const editedAt = now - daysAgo * DAY_MS - ((title.length * 37) % 600) * MINUTE_MS
  const shared = parent.in === 'workspace'
  const page = addPage(workspace, { title, parent, text, at: editedAt - GROWTH_MS, listed: !hidden, shared })
  const here: Place = { parent: { in: 'page', id: page.id }, now }
  for (const table of story.tables ?? []) addSeedTable(workspace, table, here)
  for (const below of story.pages ?? []) addSeedPage(workspace, below, here)
  if (story.trashed) {
    page.trashed = true
    detach(workspace, page.id, { parent, at: editedAt })
  }
  page.editedAt = editedAt
}

function addSeedTable(workspace: Workspace, { title, columns, rows }: SeedTable, { parent, now }: Place): void {
  const oldest = now - Math.max(0, ...rows.map(([, daysAgo]) => daysAgo)) * DAY_MS
  const { id, sources } = addDatabase(workspace, { title, parent, at: oldest - GROWTH_MS, columns })
  const [source = ''] = sources
  rows.forEach(([name, daysAgo, values, text], at) => {
    const editedAt = now - daysAgo * DAY_MS - ((at * 53) % 700) * MINUTE_MS
    const made = { title: name, parent: { in: 'source', id: source, database: id } as const, values, text }
    addPage(workspace, { ...made, at: editedAt - DAY_MS }).editedAt = editedAt
  })
}

/** Returns a version 4 UUID. */
function createId(random: () => number): string {
  const hex = [0, 1, 2, 3]
    .map(() =>
      Math.floor(random() * 2 ** 32)
        .toString(16)
        .padStart(8, '0')
    )
    .join('')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join('-')
}

/** A workspace in short form. */
type SeedWorkspace = {
  /** The workspace's id, which is also the account's. */
  id: string
  name: string
  email: string
  workspace: string
  /** Other people besides the account itself. */
  people: readonly string[]
  pages: readonly SeedPage[]
}

type SeedPage = {
  title: string
  /** How many days before the end of the seed it was last edited. */
  daysAgo: number
  /** Lines in the format of `parseBlocks`. */
  text?: string
  /** Search does not return it. */
  hidden?: true
  trashed?: true
  pages?: readonly SeedPage[]
  tables?: readonly SeedTable[]
}

type SeedTable = {
  title: string
  columns: Readonly<Record<string, ColumnType>>
  rows: readonly SeedRow[]
}

type SeedRow = [title: string, daysAgo: number, values: Readonly<Record<string, unknown>>, text?: string]
