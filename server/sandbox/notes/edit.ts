import { blocksOfText, newBlock } from './blocks-of-text.ts'
import {
  type NoteBlock,
  type NoteDatabase,
  type NotePage,
  type NoteSource,
  type Parent,
  pageAbove,
  type Workspace
} from './content.ts'

/** What can be done in a workspace. Times in milliseconds since 1970. */

export type PageMade = {
  title: string
  parent: Parent
  at: number
  text?: string | undefined
  values?: Record<string, unknown>
  listed?: boolean
  shared?: boolean
}

/** A new page, at the end of what it stands in. */
export function addPage(workspace: Workspace, made: PageMade): NotePage {
  const { title, parent, at, text = '', values = {}, listed = true, shared = false } = made
  const { newId } = workspace
  const page: NotePage = {
    id: newId(),
    title,
    parent,
    createdAt: at,
    editedAt: at,
    by: workspace.people[0]?.id ?? workspace.bot.id,
    trashed: false,
    shared,
    listed,
    blocks: blocksOfText(text, { newId, at }),
    values
  }
  workspace.pages.set(page.id, page)
  attach(workspace, { id: page.id, type: 'child_page', title, parent, at })
  return page
}

/** A database with one data source, likewise. */
export function addDatabase(
  workspace: Workspace,
  { title, parent, at, columns }: Pick<PageMade, 'title' | 'parent' | 'at'> & Pick<NoteSource, 'columns'>
): NoteDatabase {
  const { newId } = workspace
  const [id, source] = [newId(), newId()]
  const times = { createdAt: at, editedAt: at }
  const database = { id, title, parent, ...times, trashed: false, sources: [source] }
  workspace.databases.set(id, database)
  workspace.sources.set(source, { id: source, database: id, title, ...times, columns })
  attach(workspace, { id, type: 'child_database', title, parent, at })
  return database
}

export type Attached = { id: string; type: 'child_page' | 'child_database'; title: string; parent: Parent; at: number }

/** Puts the block of a page or database where it stands: rows and pages at the top have none. */
export function attach(workspace: Workspace, { id, type, title, parent, at }: Attached): void {
  const into = blocksIn(workspace, parent)
  if (into === undefined) return
  into.push({ ...newBlock(type, { title }, { newId: () => id, at }) })
  touch(workspace, parent, at)
}

/** Takes it away again. */
export function detach(workspace: Workspace, id: string, { parent, at }: { parent: Parent; at: number }): void {
  const into = blocksIn(workspace, parent)
  const place = into?.findIndex((block) => block.id === id) ?? -1
  if (into === undefined || place < 0) return
  into.splice(place, 1)
  touch(workspace, parent, at)
}

/** The page that something stands in was edited. */
function touch(workspace: Workspace, parent: Parent, at: number): void {
  const page = parent.in === 'source' ? undefined : pageAbove(workspace, parent)
  if (page !== undefined) page.editedAt = at
}

function blocksIn(workspace: Workspace, parent: Parent): NoteBlock[] | undefined {
  if (parent.in === 'page') return workspace.pages.get(parent.id)?.blocks
  if (parent.in !== 'block') return undefined
  return blockWithin(workspace.pages.get(parent.page)?.blocks ?? [], parent.id)?.children
}

function blockWithin(blocks: readonly NoteBlock[], id: string): NoteBlock | undefined {
  for (const block of blocks) {
    const found = block.id === id ? block : blockWithin(block.children, id)
    if (found !== undefined) return found
  }
  return undefined
}
