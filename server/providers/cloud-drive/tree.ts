import type { Ledger, Page, ProviderCall, SeenItem, SyncCall } from '../port/provider.ts'
import { unlessGone } from '../port/provider-failure.ts'
import { type Cursor, writeCursor } from './cursor.ts'
import { getFile } from './requests.ts'
import type { DriveFile } from './wire.ts'

/**
 * What the selection holds, as far as pages have told: the feed of changes has no filter and does not say what a folder
 * holds, so this is kept in the ledger.
 *
 *     folder:<id>               what it is held by: a folder, a shortcut, or nothing where it was selected
 *     child:<folder>:<id>       `folder` or `shortcut`
 *     shortcut:<id>             its folder and its target, as JSON
 *     pointer:<target>:<id>     the shortcut points to it
 *     aimed:<folder>:<target>   a file or folder that a shortcut points to stands in this folder
 *     deselected:<id>           a folder that leaves after the crawl, and what held it
 *     todo:<n>, leaving:<n>     queues; their ends stand in the cursor
 *
 * So memory and cursor stay small, whatever the size of the account.
 */
export type Tree = {
  call: SyncCall
  table: Table
  selection: ReadonlySet<string>
  state: Cursor
  seen: Map<string, SeenItem>
  gone: Set<string>
  /** Files that are in no folder of the tree, which may lack some. */
  left: Set<string>
  /** What was selected and is not there, and why. */
  leftOut: Map<string, string>
  emptied: Set<string>
}

/** What waits: a folder to be listed, or anything that has to be looked at again. */
type Todo = { do: 'list' | 'look'; id: string; drive?: string | undefined }

export type Pointer = { folder: string; target: string }

/** The tree as the ledger has it, for one page. The state is its own. */
export function openTree(call: SyncCall, selection: readonly string[], state: Cursor): Tree {
  const table = openTable(call.ledger, toLedgerPrefix(state.kind))
  const held = { seen: new Map<string, SeenItem>(), gone: new Set<string>(), left: new Set<string>() }
  const more = { emptied: new Set<string>(), leftOut: new Map<string, string>() }
  return { call, table, selection: new Set(selection), state: structuredClone(state), ...held, ...more }
}

/** `changes` and `list` are under way at the same time, each with a tree of its own. */
function toLedgerPrefix(kind: Cursor['kind']): string {
  return `${kind}/`
}

/** Of what is told twice in a page, the last counts. */
export function addSeen(tree: Tree, item: SeenItem): void {
  tree.gone.delete(item.id)
  tree.left.delete(item.id)
  tree.leftOut.delete(item.id)
  tree.seen.set(item.id, item)
}

/** The file stands in no folder of the tree. */
export function addLeft(tree: Tree, id: string): void {
  tree.seen.delete(id)
  tree.gone.delete(id)
  tree.left.add(id)
}

/** The item is gone, or has left the selection. */
export function addGone(tree: Tree, id: string): void {
  tree.seen.delete(id)
  tree.left.delete(id)
  tree.leftOut.delete(id)
  tree.gone.add(id)
}

/** The page of what was found. */
export function toPage(
  { seen, gone, left: out, leftOut, emptied, table, state }: Tree,
  { more }: { more: boolean }
): Page {
  const found = { seen: [...seen.values()], gone: [...gone], left: [...out], emptied: [...emptied] }
  const left = [...leftOut].map(([id, why]) => ({ id, why }))
  return { ...found, leftOut: left, ledger: table.changes(), cursor: writeCursor(state), more }
}

/** Puts something at the end of what waits. */
export function addTodo({ table, state: { todo } }: Tree, what: Todo): void {
  table.set(`todo:${todo.tail}`, JSON.stringify(what))
  todo.tail += 1
}

/** The next that waits; undefined where nothing does. */
export async function takeTodo({ table, state: { todo } }: Tree): Promise<Todo | undefined> {
  const found = await takeFrom(table, 'todo', todo)
  return found === undefined ? undefined : JSON.parse(found)
}

/** The folder leaves with all that it holds, before anything else is done. */
export function addLeaving({ table, state: { leaving } }: Tree, folder: string): void {
  table.set(`leaving:${leaving.tail}`, folder)
  leaving.tail += 1
}

/** The next folder that leaves; undefined where none does. */
export function takeLeaving({ table, state: { leaving } }: Tree): Promise<string | undefined> {
  return takeFrom(table, 'leaving', leaving)
}

/** A queue in which nothing waits. */
export function createQueue() {
  return { head: 0, tail: 0 }
}

/** Nothing waits in it. */
export function isEmpty({ head, tail }: { head: number; tail: number }): boolean {
  return head >= tail
}

async function takeFrom(table: Table, name: string, queue: { head: number; tail: number }) {
  while (!isEmpty(queue)) {
    const key = `${name}:${queue.head}`
    const found = await table.get(key)
    table.set(key, undefined)
    queue.head += 1
    if (found !== undefined) return found
  }
  return undefined
}

/** Keys of queues begin at 0 again as soon as nothing waits. */
export function rewindQueues({ todo, leaving }: Cursor): void {
  for (const queue of [todo, leaving]) if (isEmpty(queue)) Object.assign(queue, createQueue())
}

/** A part of the ledger with what a page changes in it. Only keys with its prefix belong to it. */
export type Table = {
  get(key: string): Promise<string | undefined>
  /** Those whose key begins with `prefix`, without this table's own. */
  entries(prefix: string): Promise<Map<string, string>>
  set(key: string, value: string | undefined): void
  /** All that was set, for the page. */
  changes(): NonNullable<Page['ledger']>
}

/** The part of a ledger whose keys begin with `own`, with nothing changed yet. */
export function openTable(ledger: Ledger, own: string): Table {
  const written = new Map<string, string | undefined>()
  return {
    async get(key) {
      return written.has(key) ? written.get(key) : ledger.get(own + key)
    },
    async entries(prefix) {
      const found = new Map<string, string>()
      for (const [key, value] of await ledger.entries(own + prefix)) found.set(key.slice(own.length), value)
      for (const [key, value] of written) {
        if (!key.startsWith(prefix)) continue
        if (value === undefined) found.delete(key)
        else found.set(key, value)
      }
      return found
    },
    set: (key, value) => written.set(key, value),
    changes: () => [...written].map(([key, value]) => [own + key, value] as const)
  }
}

/** How many folders may lie between a folder and one that is known. Drive itself allows 100 levels. */
const LEVELS_MAX = 100

type Where = { call: ProviderCall; table: Pick<Table, 'get'>; selection: ReadonlySet<string> }

/**
 * Tells whether a folder lies in the selection by asking Drive for the folders above it, one after the other, as far as the table does not
 * know them.
 */
export async function isWithin(where: Where, folder: string): Promise<boolean> {
  return (await findUnlistedAbove(where, folder)) !== undefined
}

/**
 * Returns the folders from the given one upwards that lie in the selection and that no listing has told of, the highest one last; undefined
 * where the folder lies outside.
 */
export async function findUnlistedAbove(
  { call, table, selection }: Where,
  folder: string
): Promise<string[] | undefined> {
  const unlisted: string[] = []
  let at: string | undefined = folder
  while (at !== undefined && unlisted.length < LEVELS_MAX) {
    if (selection.has(at) || (await table.get(`folder:${at}`)) !== undefined) return unlisted
    const found: DriveFile | undefined = await unlessGone(getFile(call, at))
    if (found === undefined || found.trashed) return undefined
    unlisted.push(found.id)
    at = found.parents?.[0]
  }
  return undefined
}
