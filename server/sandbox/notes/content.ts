/** Everything of one workspace, as Notion would keep it. Times in milliseconds since 1970. */
export type Workspace = {
  id: string
  name: string
  /** The integration, by which it is read. */
  bot: { id: string; name: string }
  /** The first one owns the consent. */
  people: Person[]
  pages: Map<string, NotePage>
  databases: Map<string, NoteDatabase>
  sources: Map<string, NoteSource>
  /** A new id. */
  newId(): string
}

export type Person = { id: string; name: string; email: string }

export type NotePage = {
  id: string
  title: string
  parent: Parent
  createdAt: number
  editedAt: number
  /** Id of a person. */
  by: string
  trashed: boolean
  /** Somebody shared it with the integration itself, not only what it stands in. */
  shared: boolean
  /** Search knows of it: it does not of everything. */
  listed: boolean
  blocks: NoteBlock[]
  /** Of rows: by the names of columns. */
  values: Record<string, unknown>
}

export type Parent =
  | { in: 'workspace' }
  | { in: 'page'; id: string }
  /** In a block of a page, as in a column. */
  | { in: 'block'; id: string; page: string }
  | { in: 'source'; id: string; database: string }

/** `content` is what stands under its type on the wire. A child page or database has the id of its block. */
export type NoteBlock = {
  id: string
  type: string
  content: Record<string, unknown>
  children: NoteBlock[]
  createdAt: number
  editedAt: number
}

export type NoteDatabase = {
  id: string
  title: string
  parent: Parent
  createdAt: number
  editedAt: number
  trashed: boolean
  sources: string[]
}

export type NoteSource = {
  id: string
  database: string
  title: string
  createdAt: number
  editedAt: number
  /** Names of columns with their types. One of them is the title. */
  columns: Record<string, ColumnType>
}

export type ColumnType =
  | 'title'
  | 'rich_text'
  | 'number'
  | 'select'
  | 'multi_select'
  | 'status'
  | 'date'
  | 'people'
  | 'checkbox'
  | 'url'
  | 'email'

/** Whether the integration may see a page: it, or something that it stands in, was shared. Trash is not looked at. */
export function isVisible(workspace: Workspace, page: NotePage): boolean {
  for (const above of listAncestors(workspace, page)) if (above.shared) return true
  return false
}

/** Whether it, or something that it stands in, lies in the trash. */
export function isDiscarded(workspace: Workspace, page: NotePage): boolean {
  for (const above of listAncestors(workspace, page)) {
    if (above.trashed) return true
    if (above.parent.in === 'source' && workspace.databases.get(above.parent.database)?.trashed) return true
  }
  return false
}

/** The page that something stands in, if it stands in one. */
export function pageAbove(workspace: Workspace, parent: Parent): NotePage | undefined {
  switch (parent.in) {
    case 'workspace':
      return undefined
    case 'page':
      return workspace.pages.get(parent.id)
    case 'block':
      return workspace.pages.get(parent.page)
    case 'source': {
      const database = workspace.databases.get(parent.database)
      return database && pageAbove(workspace, database.parent)
    }
  }
}

/** Pages below it included, a page and all it stands in. */
function* listAncestors(workspace: Workspace, page: NotePage): Generator<NotePage> {
  const met = new Set<string>()
  for (let at: NotePage | undefined = page; at !== undefined && !met.has(at.id); at = pageAbove(workspace, at.parent)) {
    met.add(at.id)
    yield at
  }
}

/** A block by its id, wherever in a page, with that page and what it stands in. */
export function findBlock(
  workspace: Workspace,
  id: string
): { block: NoteBlock; page: NotePage; above: Parent } | undefined {
  for (const page of workspace.pages.values()) {
    const found = within(page.blocks, { in: 'page', id: page.id })
    if (found !== undefined) return { ...found, page }
  }
  return undefined

  function within(blocks: readonly NoteBlock[], above: Parent): { block: NoteBlock; above: Parent } | undefined {
    for (const block of blocks) {
      if (block.id === id) return { block, above }
      const page = above.in === 'page' ? above.id : above.in === 'block' ? above.page : ''
      const found = within(block.children, { in: 'block', id: block.id, page })
      if (found !== undefined) return found
    }
    return undefined
  }
}
