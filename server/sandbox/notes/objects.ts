import type { NoteBlock, NoteDatabase, NotePage, NoteSource, Parent, Person, Workspace } from './content.ts'
import { richText } from './rich-text.ts'

/** Times are exact to a minute. */
function minuteOf(at: number): string {
  return new Date(at - (at % 60_000)).toISOString()
}

/** A page, as all objects here with what real replies have beyond developers.notion.com/reference. `only`: ids of the properties that were asked for. */
export function pageObject(page: NotePage, workspace: Workspace, only?: readonly string[]) {
  const source = page.parent.in === 'source' ? workspace.sources.get(page.parent.id) : undefined
  const properties = Object.entries(propertiesOf(page, workspace, source))
  return {
    object: 'page',
    id: page.id,
    created_time: minuteOf(page.createdAt),
    last_edited_time: minuteOf(page.editedAt),
    created_by: { object: 'user', id: page.by },
    last_edited_by: { object: 'user', id: page.by },
    cover: null,
    icon: null,
    parent: parentObject(page.parent),
    in_trash: page.trashed,
    is_archived: false,
    is_locked: false,
    properties: Object.fromEntries(properties.filter(([, { id }]) => only === undefined || only.includes(id))),
    url: pageUrl(page),
    public_url: null,
    archived: page.trashed
  }
}

/** Where a person sees it. */
export function pageUrl({ id, title }: { id: string; title?: string }): string {
  const words = (title ?? '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
  return `https://app.notion.com/p/${words === '' ? '' : `${words}-`}${bare(id)}`
}

/** An id as addresses have it. */
export function bare(id: string): string {
  return id.replaceAll('-', '')
}

function propertiesOf(page: NotePage, workspace: Workspace, source: NoteSource | undefined) {
  if (source === undefined) return { title: { id: 'title', type: 'title', title: richText(page.title) } }
  return Object.fromEntries(
    Object.entries(source.columns).map(([name, type], at) => [
      name,
      {
        id: columnId(type, at),
        type,
        [type]:
          type === 'title'
            ? richText(page.title)
            : columnValue(Object.hasOwn(page.values, name) ? page.values[name] : undefined, { type, workspace })
      }
    ])
  )
}

function columnId(type: string, at: number): string {
  return type === 'title' ? 'title' : `c${at}%3A`
}

function columnValue(value: unknown, { type, workspace }: { type: string; workspace: Workspace }): unknown {
  const option = (name: unknown) => ({ id: bare(String(name)).slice(0, 4), name, color: 'default' })
  if (type === 'checkbox') return value === true
  if (type === 'rich_text') return richText(String(value ?? ''))
  if (type === 'multi_select') return ((value as unknown[] | undefined) ?? []).map(option)
  if (type === 'people')
    return workspace.people
      .filter(({ name }) => ((value as unknown[] | undefined) ?? []).includes(name))
      .map(personObject)
  if (value === undefined || value === null) return null
  if (type === 'select' || type === 'status') return option(value)
  return type === 'date' ? { start: value, end: null, time_zone: null } : value
}

/** A person, with the address that the client's settings allow to be told. */
export function personObject({ id, name, email }: Person) {
  return { object: 'user', id, name, avatar_url: null, type: 'person', person: { email } }
}

/** The integration itself, and in which workspace it is. */
export function botObject({ id, name, bot, people }: Workspace) {
  const [owner] = people
  return {
    object: 'user',
    id: bot.id,
    name: bot.name,
    avatar_url: null,
    type: 'bot',
    bot: {
      owner: { type: 'user', ...(owner && { user: personObject(owner) }) },
      workspace_name: name,
      workspace_id: id,
      workspace_limits: { max_file_upload_size_in_bytes: 5_242_880 }
    }
  }
}

/** A block without those in it. */
export function blockObject(block: NoteBlock, { parent, by }: { parent: Parent; by: string }) {
  return {
    object: 'block',
    id: block.id,
    parent: parentObject(parent),
    created_time: minuteOf(block.createdAt),
    last_edited_time: minuteOf(block.editedAt),
    created_by: { object: 'user', id: by },
    last_edited_by: { object: 'user', id: by },
    has_children: block.children.length > 0 || block.type === 'child_page',
    in_trash: false,
    type: block.type,
    [block.type]: block.content,
    archived: false
  }
}

/** A database with its data sources by name. */
export function databaseObject(database: NoteDatabase, { sources }: Workspace) {
  return {
    object: 'database',
    id: database.id,
    title: richText(database.title),
    description: [],
    parent: parentObject(database.parent),
    is_inline: false,
    in_trash: database.trashed,
    is_locked: false,
    created_time: exactTime(database.createdAt),
    last_edited_time: exactTime(database.editedAt),
    data_sources: database.sources.map((id) => ({ id, name: sources.get(id)?.title ?? '' })),
    icon: null,
    cover: null,
    url: pageUrl({ id: database.id }),
    public_url: null,
    archived: database.trashed
  }
}

/** Of databases alone, times are exact, and written in another way. */
function exactTime(at: number): string {
  return new Date(at).toISOString().replace('Z', '+00:00')
}

/** A data source with its columns. */
export function sourceObject(source: NoteSource, { databases, bot }: Workspace) {
  const database = databases.get(source.database)
  return {
    object: 'data_source',
    id: source.id,
    cover: null,
    icon: null,
    created_time: minuteOf(source.createdAt),
    created_by: { object: 'user', id: bot.id },
    last_edited_by: { object: 'user', id: bot.id },
    last_edited_time: minuteOf(source.editedAt),
    title: richText(source.title),
    description: [],
    is_inline: false,
    properties: Object.fromEntries(
      Object.entries(source.columns).map(([name, type], at) => [
        name,
        { id: columnId(type, at), name, description: null, type, [type]: {} }
      ])
    ),
    parent: { type: 'database_id', database_id: source.database },
    database_parent: parentObject(database?.parent ?? { in: 'workspace' }),
    url: pageUrl({ id: source.database }),
    public_url: null,
    in_trash: database?.trashed ?? false,
    archived: database?.trashed ?? false
  }
}

function parentObject(parent: Parent) {
  switch (parent.in) {
    case 'workspace':
      return { type: 'workspace', workspace: true }
    case 'page':
      return { type: 'page_id', page_id: parent.id }
    case 'block':
      return { type: 'block_id', block_id: parent.id }
    case 'source':
      return { type: 'data_source_id', data_source_id: parent.id, database_id: parent.database }
  }
}
