import type {
  NoteBlock,
  NoteComment,
  NoteDatabase,
  NotePage,
  NoteSource,
  Parent,
  Person,
  Workspace
} from './content.ts'

/** Formats a time with minute precision. */
function toMinute(at: number): string {
  return new Date(at - (at % 60_000)).toISOString()
}

/**
 * Builds a page. Like all objects here, it has the members of real replies beyond developers.notion.com/reference.
 * `only` are the ids of the requested properties.
 */
export function pageObject(page: NotePage, workspace: Workspace, only?: readonly string[]) {
  const source = page.parent.in === 'source' ? workspace.sources.get(page.parent.id) : undefined
  const properties = Object.entries(toProperties(page, workspace, source))
  return {
    object: 'page',
    id: page.id,
    created_time: toMinute(page.createdAt),
    last_edited_time: toMinute(page.editedAt),
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

/** Returns the URL of a page in the web client. */
export function pageUrl({ id, title }: { id: string; title?: string }): string {
  const words = (title ?? '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
  return `https://app.notion.com/p/${words === '' ? '' : `${words}-`}${toBareId(id)}`
}

/** Returns an id without dashes, as in URLs. */
export function toBareId(id: string): string {
  return id.replaceAll('-', '')
}

function toProperties(page: NotePage, workspace: Workspace, source: NoteSource | undefined) {
  if (source === undefined) return { title: { id: 'title', type: 'title', title: parseRichText(page.title) } }
  return Object.fromEntries(
    Object.entries(source.columns).map(([name, type], at) => [
      name,
      {
        id: columnId(type, at),
        type,
        [type]:
          type === 'title'
            ? parseRichText(page.title)
            : columnValue(Object.hasOwn(page.values, name) ? page.values[name] : undefined, { type, workspace, page }),
        ...(type === 'relation' && { has_more: false })
      }
    ])
  )
}

function columnId(type: string, at: number): string {
  return type === 'title' ? 'title' : `c${at}%3A`
}

type Column = { type: string; workspace: Workspace; page: NotePage }

function columnValue(value: unknown, { type, workspace, page }: Column): unknown {
  const option = (name: unknown) => ({ id: toBareId(String(name)).slice(0, 4), name, color: 'default' })
  if (type === 'checkbox') return value === true
  if (type === 'rich_text') return parseRichText(String(value ?? ''))
  if (type === 'multi_select') return ((value as unknown[] | undefined) ?? []).map(option)
  if (type === 'people')
    return workspace.people
      .filter(({ name }) => ((value as unknown[] | undefined) ?? []).includes(name))
      .map(personObject)
  if (type === 'relation')
    return [...workspace.pages.values()]
      .filter(({ title }) => ((value as unknown[] | undefined) ?? []).includes(title))
      .map(({ id }) => ({ id }))
  if (type === 'created_by') return workspace.people.filter(({ id }) => id === page.by).map(personObject)[0] ?? null
  if (value === undefined || value === null) return null
  if (type === 'select' || type === 'status') return option(value)
  return type === 'date' ? { start: value, end: null, time_zone: null } : value
}

/** Builds a person with the address, which the client's settings allow. */
export function personObject({ id, name, email }: Person) {
  return { object: 'user', id, name, avatar_url: null, type: 'person', person: { email } }
}

/** Builds the integration's bot user with its workspace. */
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

/** Builds a block without its children. */
export function blockObject(block: NoteBlock, { parent, by }: { parent: Parent; by: string }) {
  return {
    object: 'block',
    id: block.id,
    parent: parentObject(parent),
    created_time: toMinute(block.createdAt),
    last_edited_time: toMinute(block.editedAt),
    created_by: { object: 'user', id: by },
    last_edited_by: { object: 'user', id: by },
    has_children: block.children.length > 0 || block.type === 'child_page',
    in_trash: false,
    type: block.type,
    [block.type]: block.content,
    archived: false
  }
}

/** Builds a comment on a page or block, in a discussion of its own. */
export function commentObject(
  { id, author, text, at, block }: NoteComment,
  { page, workspace }: { page: string; workspace: Workspace }
) {
  const person = workspace.people.find(({ name }) => name === author)
  return {
    object: 'comment',
    id,
    parent: block === undefined ? { type: 'page_id', page_id: page } : { type: 'block_id', block_id: block },
    discussion_id: id,
    created_time: toMinute(at),
    last_edited_time: toMinute(at),
    created_by: { object: 'user', id: person?.id ?? workspace.bot.id },
    rich_text: parseRichText(text),
    display_name: { type: person === undefined ? 'integration' : 'user', resolved_name: author }
  }
}

/** Builds a database with its data sources by name. */
export function databaseObject(database: NoteDatabase, { sources }: Workspace) {
  return {
    object: 'database',
    id: database.id,
    title: parseRichText(database.title),
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

/** Formats a time exactly. Only databases use this format. */
function exactTime(at: number): string {
  return new Date(at).toISOString().replace('Z', '+00:00')
}

/** Builds a data source with its columns. */
export function sourceObject(source: NoteSource, { databases, bot }: Workspace) {
  const database = databases.get(source.database)
  return {
    object: 'data_source',
    id: source.id,
    cover: null,
    icon: null,
    created_time: toMinute(source.createdAt),
    created_by: { object: 'user', id: bot.id },
    last_edited_by: { object: 'user', id: bot.id },
    last_edited_time: toMinute(source.editedAt),
    title: parseRichText(source.title),
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

/**
 * Converts text to rich text (developers.notion.com/reference/rich-text). `**…**` is bold, `` `…` `` code, `[…](…)` a
 * link and `$…$` a formula.
 */
export function parseRichText(text: string): RichText[] {
  return [...text.matchAll(MARKS)].map(({ groups = {} }) => {
    const { bold, code, label, target, formula, plain = '' } = groups
    if (formula !== undefined) return toFormula(formula)
    return toText(bold ?? code ?? label ?? plain, {
      bold: bold !== undefined,
      code: code !== undefined,
      target: target ?? null
    })
  })
}

export type RichText = {
  type: 'text' | 'equation'
  plain_text: string
  href: string | null
  annotations: Record<string, boolean | string>
  text?: { content: string; link: { url: string } | null }
  equation?: { expression: string }
}

const MARKS =
  /\*\*(?<bold>[^*]+)\*\*|`(?<code>[^`]+)`|\[(?<label>[^\]]+)\]\((?<target>[^)\s]+)\)|\$(?<formula>[^$\s][^$]*)\$|(?<plain>(?:(?!\*\*[^*]+\*\*|`[^`]+`|\[[^\]]+\]\([^)\s]+\)|\$[^$\s][^$]*\$)[\s\S])+)/g

/** Returns the plain text of rich text. */
export function toPlain(pieces: readonly RichText[]): string {
  return pieces.map(({ plain_text: text }) => text).join('')
}

function toText(
  content: string,
  { bold, code, target }: { bold: boolean; code: boolean; target: string | null }
): RichText {
  return {
    type: 'text',
    text: { content, link: target === null ? null : { url: target } },
    annotations: toAnnotations(bold, code),
    plain_text: content,
    href: target
  }
}

function toFormula(expression: string): RichText {
  return {
    type: 'equation',
    equation: { expression },
    annotations: toAnnotations(false, false),
    plain_text: expression,
    href: null
  }
}

function toAnnotations(bold: boolean, code: boolean) {
  return { bold, italic: false, strikethrough: false, underline: false, code, color: 'default' }
}
