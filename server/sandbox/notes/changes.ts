import * as z from 'zod'
import type { SandboxAccount, SandboxChange } from '../core/sandbox-provider.ts'
import { findBlock, type NotePage, type Parent, pageAbove, type Workspace } from './content.ts'
import { addDatabase, addPage, attach, detach, parseBlocks } from './edit.ts'
import { findId } from './requests.ts'

const Id = z.string().max(100)
const Title = z.string().max(20_000)
/** Lines in the format of `parseBlocks`. */
const Text = z.string().max(5_000_000)
const Values = z.record(z.string().max(1000), z.unknown())

const AddPage = z.strictObject({
  title: Title,
  text: Text.optional(),
  /** The id of a page or of a block; absent for the top level. */
  parent: Id.optional(),
  /** With `false`, only the parent refers to it. */
  listed: z.boolean().default(true)
})
const EditPage = z.strictObject({
  page: Id,
  title: Title.optional(),
  text: Text.optional(),
  values: Values.optional(),
  /** Child pages and databases stay. */
  listed: z.boolean().optional()
})
const AppendBlock = z.strictObject({ page: Id, text: Text.min(1) })
const AddDatabase = z.strictObject({ parent: Id, title: Title, columns: z.record(z.string(), z.string()).optional() })
const EditDatabase = z.strictObject({ database: Id, title: Title })
const AddRow = z.strictObject({ database: Id, title: Title, values: Values.default({}), text: Text.optional() })
const AddComment = z.strictObject({ page: Id, block: Id.optional(), author: Title, text: Text })
const Named = z.strictObject({ id: Id })
const Move = z.strictObject({ page: Id, to: Id.optional() })

/**
 * Changes of a workspace. Each returns `{id, last_edited_time}` of the changed object, in milliseconds; `add_database`
 * also returns `{data_source}`.
 *
 * - `add_page {title, text?, parent?, listed?}`, `edit_page {page, title?, text?, values?, listed?}`, `append_block
 * {page, text}`
 * - `add_database {parent, title, columns?}`, `edit_database {database, title}`, `add_row {database, title, values?, text?}`
 * - `comment {page, block?, author, text}`: changes no time of the page
 * - `trash {id}` and `restore {id}` of a page, row or database; `move {page, to?}`, without `to` to the top level
 * - `share {id}` and `unshare {id}` of a page and everything in it
 */
export const CHANGES: Readonly<Record<string, SandboxChange>> = {
  add_page: change(AddPage, (workspace, { parent, ...made }, now) => {
    const place = parent === undefined ? ({ in: 'workspace' } as const) : toParent(workspace, parent)
    return addPage(workspace, { ...made, parent: place, at: now, shared: place.in === 'workspace' })
  }),
  comment: change(AddComment, (workspace, { page: id, block, ...said }, now) => {
    const page = requirePage(workspace, id)
    const about = block === undefined ? {} : { block: findId(block) ?? block }
    page.comments = [...(page.comments ?? []), { id: workspace.newId(), ...said, ...about, at: now }]
    return page
  }),
  edit_page: change(EditPage, (workspace, { page: id, title, text, values, listed }, now) => {
    const page = requirePage(workspace, id)
    if (title !== undefined) page.title = title
    if (listed !== undefined) page.listed = listed
    if (values !== undefined) Object.assign(page.values, values)
    if (text !== undefined) {
      const kept = page.blocks.filter(({ type }) => type === 'child_page' || type === 'child_database')
      page.blocks = [...parseBlocks(text, { newId: workspace.newId, at: now }), ...kept]
    }
    page.editedAt = now
    return page
  }),
  append_block: change(AppendBlock, (workspace, { page: id, text }, now) => {
    const page = requirePage(workspace, id)
    page.blocks.push(...parseBlocks(text, { newId: workspace.newId, at: now }))
    page.editedAt = now
    return page
  }),
  add_database: change(AddDatabase, (workspace, { parent, title, columns }, now) => {
    const made = {
      title,
      parent: toParent(workspace, parent),
      at: now,
      columns: { Name: 'title', ...columns } as const
    }
    const database = addDatabase(workspace, made as Parameters<typeof addDatabase>[1])
    return { ...database, data_source: database.sources[0] }
  }),
  edit_database: change(EditDatabase, (workspace, { database: id, title }, now) => {
    const database = requireFound(workspace.databases.get(findId(id) ?? ''), `database ${id}`)
    for (const source of database.sources) Object.assign(workspace.sources.get(source) ?? {}, { title, editedAt: now })
    return Object.assign(database, { title, editedAt: now })
  }),
  add_row: change(AddRow, (workspace, { database: id, ...row }, now) => {
    const database = requireFound(workspace.databases.get(findId(id) ?? ''), `database ${id}`)
    const parent: Parent = { in: 'source', id: database.sources[0] ?? '', database: database.id }
    return addPage(workspace, { ...row, parent, at: now })
  }),
  trash: change(Named, (workspace, { id }, now) => {
    const thing = requireThing(workspace, id)
    if (!thing.trashed) detach(workspace, thing.id, { parent: thing.parent, at: now })
    return Object.assign(thing, { trashed: true, editedAt: now })
  }),
  restore: change(Named, (workspace, { id }, now) => {
    const thing = requireThing(workspace, id)
    const { title, parent } = thing
    const type = workspace.pages.has(thing.id) ? 'child_page' : 'child_database'
    if (thing.trashed) attach(workspace, { id: thing.id, type, title, parent, at: now })
    return Object.assign(thing, { trashed: false, editedAt: now })
  }),
  move: change(Move, (workspace, { page: id, to }, now) => {
    const page = requirePage(workspace, id)
    const parent: Parent = to === undefined ? { in: 'workspace' } : toParent(workspace, to)
    if (isWithin(workspace, parent, page.id)) throw new Error(`${id} cannot be moved into itself`)
    detach(workspace, page.id, { parent: page.parent, at: now })
    page.parent = parent
    attach(workspace, { id: page.id, type: 'child_page', title: page.title, parent, at: now })
    return Object.assign(page, { editedAt: now })
  }),
  share: change(Named, (workspace, { id }) => Object.assign(requirePage(workspace, id), { shared: true })),
  unshare: change(Named, (workspace, { id }) => Object.assign(requirePage(workspace, id), { shared: false }))
}

type Changed = { id: string; editedAt: number; data_source?: string | undefined }

function change<S extends z.ZodType>(
  schema: S,
  act: (workspace: Workspace, input: z.output<S>, now: number) => Changed
): SandboxChange {
  return (account: SandboxAccount, input, { now }) => {
    const parsed = schema.safeParse(input)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      throw new Error(`${issue?.path.join('.') || 'the body'}: ${issue?.message}`)
    }
    const { id, editedAt, data_source } = act(account.content as Workspace, parsed.data, now)
    return { id, last_edited_time: editedAt, ...(data_source !== undefined && { data_source }) }
  }
}

function requirePage(workspace: Workspace, id: string): NotePage {
  return requireFound(workspace.pages.get(findId(id) ?? ''), `page ${id}`)
}

function requireThing(workspace: Workspace, id: string) {
  return requireFound(
    workspace.pages.get(findId(id) ?? '') ?? workspace.databases.get(findId(id) ?? ''),
    `page or database ${id}`
  )
}

/** Resolves the id of a page or block to a parent. */
function toParent(workspace: Workspace, id: string): Parent {
  const own = findId(id) ?? ''
  if (workspace.pages.has(own)) return { in: 'page', id: own }
  const block = requireFound(findBlock(workspace, own), `page or block ${id}`)
  return { in: 'block', id: own, page: block.page.id }
}

function isWithin(workspace: Workspace, parent: Parent, id: string): boolean {
  for (let at = pageAbove(workspace, parent); at !== undefined; at = pageAbove(workspace, at.parent))
    if (at.id === id) return true
  return false
}

function requireFound<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`${what} does not exist`)
  return value
}
