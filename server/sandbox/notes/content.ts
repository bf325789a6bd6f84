/** The data of a workspace in Notion. Times are in milliseconds since 1970. */
export type Workspace = {
  id: string
  name: string
  /** The integration that reads it. */
  bot: { id: string; name: string }
  /** The first one owns the consent. */
  people: Person[]
  pages: Map<string, NotePage>
  databases: Map<string, NoteDatabase>
  sources: Map<string, NoteSource>
  /** Returns a new id. */
  newId(): string
}

export type Person = { id: string; name: string; email: string }

export type NotePage = {
  id: string
  title: string
  parent: Parent
  createdAt: number
  editedAt: number
  /** The id of a person. */
  by: string
  trashed: boolean
  /** Shared with the integration itself, not only through a parent. */
  shared: boolean
  /** Search returns it. Search does not return everything. */
  listed: boolean
  blocks: NoteBlock[]
  /** Open comments on the page and its blocks, oldest first. */
  comments?: NoteComment[]
  /** Values of a row by column name. */
  values: Record<string, unknown>
}

/** `block` is the block that it is about, if it is not about the whole page. */
export type NoteComment = { id: string; author: string; text: string; at: number; block?: string }

export type Parent =
  | { in: 'workspace' }
  | { in: 'page'; id: string }
  /** In a block of a page, such as a column. */
  | { in: 'block'; id: string; page: string }
  | { in: 'source'; id: string; database: string }

/** `content` is the member named after its type in the API. A child page or database has the id of its block. */
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
  /** The values are titles of pages. */
  | 'relation'
  | 'created_by'

/** Reports whether the integration can see a page: the page or one of its parents was shared. Ignores the trash. */
export function isVisible(workspace: Workspace, page: NotePage): boolean {
  for (const above of listAncestors(workspace, page)) if (above.shared) return true
  return false
}

/** Reports whether a page or one of its parents is in the trash. */
export function isDiscarded(workspace: Workspace, page: NotePage): boolean {
  for (const above of listAncestors(workspace, page)) {
    if (above.trashed) return true
    if (above.parent.in === 'source' && workspace.databases.get(above.parent.database)?.trashed) return true
  }
  return false
}

/** Returns the page that contains an object, if there is one. */
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

/** Yields a page and all pages that contain it. */
function* listAncestors(workspace: Workspace, page: NotePage): Generator<NotePage> {
  const met = new Set<string>()
  for (let at: NotePage | undefined = page; at !== undefined && !met.has(at.id); at = pageAbove(workspace, at.parent)) {
    met.add(at.id)
    yield at
  }
}

/** Finds a block by its id in any page. Returns it with its page and its parent. */
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
