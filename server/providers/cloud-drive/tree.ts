import type { Ledger, Page, ProviderCall, SeenItem, SyncCall } from '../port/provider.ts'
import { unlessGone } from '../port/provider-failure.ts'
import { type Cursor, writeCursor } from './cursor.ts'
import { getFile } from './requests.ts'
import type { DriveFile } from './wire.ts'

/**
 * The tree of items in the selection, as far as pages have reported it. The change feed has no filter and does not list
 * the contents of a folder, so the tree is stored in the ledger under these keys:
 *
 * - `folder:<id>`: its owner, which is a folder, a shortcut, or empty if it was selected
 * - `child:<folder>:<id>`: `folder` or `shortcut`
 * - `shortcut:<id>`: its folder and its target, as JSON
 * - `pointer:<target>:<id>`: the shortcut points to the target
 * - `aimed:<folder>:<target>`: the folder contains the target of a shortcut
 * - `deselected:<id>`: a folder that leaves after the crawl, and its owners
 * - `todo:<n>`, `leaving:<n>`: queues, whose ends are in the cursor
 *
 * Memory use and the cursor therefore stay small, whatever the size of the account.
 */
export type Tree = {
  call: SyncCall
  table: Table
  selection: ReadonlySet<string>
  state: Cursor
  seen: Map<string, SeenItem>
  gone: Set<string>
  /** Files that are in no known folder of the tree, which may be incomplete. */
  left: Set<string>
  /** Selected items that cannot be read, and why. */
  leftOut: Map<string, string>
  emptied: Set<string>
  /** The names of selected items. */
  named: Map<string, string>
}

/** A queued task: list a folder, or check an item again. */
type Todo = { do: 'list' | 'look'; id: string; drive?: string | undefined }

export type Pointer = { folder: string; target: string }

/** Opens the tree in the ledger for one page. The state is copied. */
export function openTree(call: SyncCall, selection: readonly string[], state: Cursor): Tree {
  const table = openTable(call.ledger, toLedgerPrefix(state.kind))
  const held = { seen: new Map<string, SeenItem>(), gone: new Set<string>(), left: new Set<string>() }
  const more = { emptied: new Set<string>(), leftOut: new Map<string, string>(), named: new Map<string, string>() }
  return { call, table, selection: new Set(selection), state: structuredClone(state), ...held, ...more }
}

/** `changes` and `list` run at the same time, each with its own tree. */
function toLedgerPrefix(kind: Cursor['kind']): string {
  return `${kind}/`
}

/** Adds a seen item. Of several reports in a page, the last one counts. */
export function addSeen(tree: Tree, item: SeenItem): void {
  tree.gone.delete(item.id)
  tree.left.delete(item.id)
  tree.leftOut.delete(item.id)
  tree.seen.set(item.id, item)
}

/** Adds a file that is in no folder of the tree. */
export function addLeft(tree: Tree, id: string): void {
  tree.seen.delete(id)
  tree.gone.delete(id)
  tree.left.add(id)
}

/** Adds an item that was deleted or has left the selection. */
export function addGone(tree: Tree, id: string): void {
  tree.seen.delete(id)
  tree.left.delete(id)
  tree.leftOut.delete(id)
  tree.gone.add(id)
}

/** Builds the page of the collected items. */
export function toPage(
  { seen, gone, left: out, leftOut, emptied, named, table, state }: Tree,
  { more }: { more: boolean }
): Page {
  const found = { seen: [...seen.values()], gone: [...gone], left: [...out], emptied: [...emptied] }
  const left = [...leftOut].map(([id, why]) => ({ id, why }))
  const names = [...named].map(([id, name]) => ({ id, name }))
  return { ...found, leftOut: left, named: names, ledger: table.changes(), cursor: writeCursor(state), more }
}

/** Appends a task to the queue. */
export function addTodo({ table, state: { todo } }: Tree, what: Todo): void {
  table.set(`todo:${todo.tail}`, JSON.stringify(what))
  todo.tail += 1
}

/** Takes the next task, or returns undefined if the queue is empty. */
export async function takeTodo({ table, state: { todo } }: Tree): Promise<Todo | undefined> {
  const found = await takeFrom(table, 'todo', todo)
  return found === undefined ? undefined : JSON.parse(found)
}

/** Queues a folder for removal with its contents, before any other work. */
export function addLeaving({ table, state: { leaving } }: Tree, folder: string): void {
  table.set(`leaving:${leaving.tail}`, folder)
  leaving.tail += 1
}

/** Takes the next folder to remove, or returns undefined if there is none. */
export function takeLeaving({ table, state: { leaving } }: Tree): Promise<string | undefined> {
  return takeFrom(table, 'leaving', leaving)
}

/** Creates an empty queue. */
export function createQueue() {
  return { head: 0, tail: 0 }
}

/** Reports whether a queue is empty. */
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

/** Restarts the keys of empty queues at 0. */
export function rewindQueues({ todo, leaving }: Cursor): void {
  for (const queue of [todo, leaving]) if (isEmpty(queue)) Object.assign(queue, createQueue())
}

/** A part of the ledger and the changes of a page to it. It contains only keys with its prefix. */
export type Table = {
  get(key: string): Promise<string | undefined>
  /** Lists the entries whose key begins with `prefix`, relative to the prefix of this table. */
  entries(prefix: string): Promise<Map<string, string>>
  set(key: string, value: string | undefined): void
  /** Returns all changes, for the page. */
  changes(): NonNullable<Page['ledger']>
}

/** Opens the part of a ledger whose keys begin with `own`. */
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

/** Maximum number of folders between a folder and a known one. Drive itself allows 100 levels. */
const LEVELS_MAX = 100

type Where = { call: ProviderCall; table: Pick<Table, 'get'>; selection: ReadonlySet<string> }

/** Reports whether a folder is in the selection. Asks Drive for each parent that the table does not know. */
export async function isWithin(where: Where, folder: string): Promise<boolean> {
  return (await findUnlistedAbove(where, folder)) !== undefined
}

/**
 * Returns the unlisted folders from the given one up to a listed or selected one, highest last. Returns undefined if
 * the folder is outside the selection.
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
