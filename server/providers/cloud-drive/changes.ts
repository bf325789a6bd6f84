import type { Page, PageFrom, SyncCall } from '../port/provider.ts'
import { ProviderFailure, unlessGone } from '../port/provider-failure.ts'

import { arrange, removeItem, removeShortcut } from './arrange.ts'
import { type Cursor, readCursor } from './cursor.ts'
import { toSeenFile } from './file-item.ts'
import { ALL_DRIVES, askDrive, getFile, getStartToken, quoteId, toCorpus } from './requests.ts'
import {
  addLeaving,
  addSeen,
  addTodo,
  createQueue,
  isEmpty,
  openTree,
  rewindQueues,
  type Tree,
  takeLeaving,
  takeTodo,
  toPage
} from './tree.ts'
import { type Change, ChangeList, type DriveFile, FILE_FIELDS, FileList, FOLDER_TYPE, SHORTCUT_TYPE } from './wire.ts'

/**
 * Reads the next page of changes. Without a cursor, it stores the start of the feed and then lists the selection folder
 * by folder, so that the feed reports concurrent changes. Each page does one kind of work, in this order: folders that
 * leave, queued listings, the feed.
 */
export async function changes(call: SyncCall, from: PageFrom): Promise<Page> {
  if (from.cursor === undefined) return beginCrawl(call, from.selection, 'changes')
  const tree = openTree(call, from.selection, readCursor(from.cursor, 'changes'))
  const isOver = (await workOnce(tree)) && (await removeDeselected(tree))
  if (isOver) tree.state.turn = 0
  return toPage(tree, { more: !isOver })
}

/**
 * Returns the first page, which lists nothing yet. Removes what an earlier crawl left in the ledger, except what was
 * deselected since.
 */
async function beginCrawl(call: SyncCall, selection: readonly string[], kind: Cursor['kind']): Promise<Page> {
  const feeds = [{ token: await getStartToken(call, undefined) }]
  const tree = openTree(call, selection, { v: 1, kind, feeds, turn: 0, todo: createQueue(), leaving: createQueue() })
  const deselected = kind === 'changes' ? await findDeselected(tree) : new Map<string, string>()
  await clearTable(tree)
  noteDeselected(tree, deselected)
  for (const id of tree.selection) addTodo(tree, { do: 'look', id })
  return toPage(tree, { more: true })
}

/** Does one page of work. Returns true if nothing is left to do. */
async function workOnce(tree: Tree): Promise<boolean> {
  const { state } = tree
  if (!isEmpty(state.leaving)) await removeFolders(tree)
  else if (!isEmpty(state.todo) || state.at !== undefined) await listFolders(tree)
  else await readFeed(tree)
  rewindQueues(state)
  return isEmpty(state.leaving) && isEmpty(state.todo) && state.at === undefined && state.turn >= state.feeds.length
}

/** Removes everything that the tree stores. */
async function clearTable({ table }: Tree): Promise<void> {
  for (const key of (await table.entries('')).keys()) table.set(key, undefined)
}

/**
 * Lists everything again, and then reads the changes since the start. Otherwise an item moved from an unlisted folder
 * to a listed one would be missed and considered deleted.
 */
export async function list(call: SyncCall, from: PageFrom): Promise<Page> {
  if (from.cursor === undefined) return beginCrawl(call, from.selection, 'list')
  const tree = openTree(call, from.selection, readCursor(from.cursor, 'list'))
  const isOver = await workOnce(tree)
  if (isOver) await clearTable(tree)
  return toPage(tree, { more: !isOver })
}

/** Limits of one page. */
const REQUESTS_MAX = 20
const ITEMS_MAX = 500
/** The maximum page size of Drive (discovery document). */
const LISTING_MAX = 1000
/** Limits of one folder. A listing with more pages is broken, and so is one whose page tokens are refused each time. */
const FOLDER_PAGES_MAX = 10_000
const RESTARTS_MAX = 3

/** Does the queued work: lists folders and checks single files. */
async function listFolders(tree: Tree): Promise<void> {
  for (let count = 0; count < REQUESTS_MAX && tree.seen.size < ITEMS_MAX; count += 1) {
    if (tree.state.at !== undefined) {
      await listFolderPage(tree, tree.state.at)
      continue
    }
    const next = await takeTodo(tree)
    if (next === undefined) return
    if (next.do === 'look') await lookAt(tree, next.id)
    else tree.state.at = { folder: next.id, token: '', pages: 0, restarts: 0, ...(next.drive && { drive: next.drive }) }
  }
}

async function lookAt(tree: Tree, id: string): Promise<void> {
  const file = await unlessGone(getFile(tree.call, id))
  // Drive accepts aliases such as `root`, under which nothing is listed.
  if (file === undefined || file.id !== id) await removeItem(tree, id)
  else await arrange(tree, file)
}

type Place = NonNullable<Tree['state']['at']>

/** Lists one page of a folder. */
async function listFolderPage(tree: Tree, at: Place): Promise<void> {
  tree.state.at = undefined
  // It may have been removed between its pages.
  if ((await tree.table.get(`folder:${at.folder}`)) === undefined) return
  const reply = await unlessGone(requestListing(tree, at)).catch((error: unknown) => {
    if (!isStaleToken(error, at)) throw error
    return 'stale' as const
  })
  if (reply === undefined) return removeItem(tree, at.folder)
  if (reply === 'stale') {
    tree.state.at = { ...at, token: '', pages: 0, restarts: at.restarts + 1 }
    return
  }
  if (reply.incompleteSearch)
    throw new ProviderFailure('transient', 'Drive could not search all its files at the moment')
  for (const file of reply.files) await arrangeChild(tree, file, at.folder)
  if (reply.nextPageToken === undefined) return
  if (reply.nextPageToken === at.token || at.pages >= FOLDER_PAGES_MAX)
    throw new ProviderFailure('contract_broken', 'the listing of a folder does not end')
  tree.state.at = { ...at, token: reply.nextPageToken, pages: at.pages + 1 }
}

function requestListing({ call }: Tree, { folder, drive, token }: Place) {
  const q = `${quoteId(folder)} in parents and trashed = false`
  const fields = `nextPageToken,incompleteSearch,files(${FILE_FIELDS})`
  const page = { pageSize: LISTING_MAX, pageToken: token === '' ? undefined : token }
  const query = { ...ALL_DRIVES, ...toCorpus(drive), ...page, q, fields }
  return askDrive(call, { path: '/files', query, reply: FileList, what: 'the list of files' })
}

/** Adds a child of a listed folder. A file does not need the ledger, since its folder is being listed. */
function arrangeChild(tree: Tree, file: DriveFile, folder: string): Promise<void> | void {
  if (file.mimeType === FOLDER_TYPE || file.mimeType === SHORTCUT_TYPE)
    return arrange(tree, { ...file, parents: [folder] })
  if (!file.trashed) addSeen(tree, toSeenFile(file, folder, tree.call.reads))
}

function isStaleToken(error: unknown, { token, restarts }: Place): boolean {
  const isStale = error instanceof ProviderFailure && error.kind === 'cursor_invalid'
  return isStale && token !== '' && restarts < RESTARTS_MAX
}

const CHANGES_MAX = 500
/** Targets of shortcuts that are checked again. Beyond this limit, the next full listing covers them. */
const TARGETS_MAX = 100

/** Reads one page of the current feed (https://developers.google.com/workspace/drive/api/guides/manage-changes). */
async function readFeed(tree: Tree): Promise<void> {
  const { state } = tree
  const feed = state.feeds[state.turn]
  if (feed === undefined) {
    state.turn = state.feeds.length
    return
  }
  const reply = await fetchFeedPage(tree, feed)
  if (reply === undefined) return dropDrive(tree)
  let isAbove = false
  for (const change of reply.changes) {
    isAbove ||= await mayBeAbove(tree, change)
    await applyChange(tree, change)
  }
  if (isAbove) await lookAtRoots(tree)
  const next = reply.nextPageToken ?? reply.newStartPageToken
  if (next === undefined || reply.nextPageToken === feed.token)
    throw new ProviderFailure('contract_broken', 'the list of changes has no next page token')
  feed.token = next
  if (reply.nextPageToken === undefined) state.turn += 1
}

type Feed = Tree['state']['feeds'][number]

/** Fetches a page of a feed. Returns undefined for a shared drive that the account can no longer see. */
async function fetchFeedPage({ call }: Tree, { drive, token }: Feed) {
  const fields = `nextPageToken,newStartPageToken,changes(changeType,removed,fileId,driveId,file(${FILE_FIELDS}))`
  const query = { ...ALL_DRIVES, pageToken: token, pageSize: CHANGES_MAX, includeRemoved: true, driveId: drive, fields }
  const asked = { path: '/changes', query, reply: ChangeList, what: 'the list of changes' }
  if (drive === undefined) return askDrive(call, { ...asked, subject: 'cursor' })
  return unlessGone(askDrive(call, { ...asked, subject: 'account' }))
}

async function applyChange(tree: Tree, { changeType, removed, fileId, driveId, file }: Change): Promise<void> {
  if (changeType === 'drive') {
    if (removed && driveId !== undefined) await removeItem(tree, driveId)
    return
  }
  const id = file?.id ?? fileId
  if (id === undefined) throw new ProviderFailure('contract_broken', 'a change has no file id')
  if (file !== undefined && !removed) return arrange(tree, file)
  // An item removed from one feed may be in another, so it must be looked up.
  if (tree.state.feeds.length > 1 || !removed) addTodo(tree, { do: 'look', id })
  else await removeItem(tree, id)
}

/** Checks everything that may have been in the drive. */
async function dropDrive(tree: Tree): Promise<void> {
  tree.state.feeds.splice(tree.state.turn, 1)
  await lookAtRoots(tree)
}

/**
 * Reports whether a change may concern a folder above the selection. Items below such a folder enter or leave the
 * trash, or are deleted, without a change of their own.
 */
async function mayBeAbove({ table }: Tree, { fileId, file, removed }: Change): Promise<boolean> {
  const id = file?.id ?? fileId ?? ''
  return (removed || file?.mimeType === FOLDER_TYPE) && (await table.get(`folder:${id}`)) === undefined
}

/** Checks the roots of the tree again: the selected items, and the targets of shortcuts unless there are too many. */
async function lookAtRoots(tree: Tree): Promise<void> {
  const pointers = [...(await tree.table.entries('pointer:')).keys()]
  const targets = new Set(pointers.map((key) => key.split(':')[1] ?? ''))
  const looked = targets.size > TARGETS_MAX ? tree.selection : new Set([...tree.selection, ...targets])
  for (const id of looked) addTodo(tree, { do: 'look', id })
}

/** Folders removed by one page. */
const REMOVED_MAX = 100

/**
 * Removes queued folders with their contents. Items that may have another owner are checked afterwards: folders that
 * only reference each other through shortcuts disappear, and the others return.
 */
async function removeFolders(tree: Tree): Promise<void> {
  for (let count = 0; count < REMOVED_MAX; count += 1) {
    const folder = await takeLeaving(tree)
    if (folder === undefined) return
    await removeFolder(tree, folder)
  }
}

async function removeFolder(tree: Tree, id: string): Promise<void> {
  const { table, selection } = tree
  const holder = await table.get(`folder:${id}`)
  if (holder === undefined) return
  table.set(`folder:${id}`, undefined)
  table.set(`child:${holder}:${id}`, undefined)
  tree.emptied.add(id)
  for (const [key, kind] of await table.entries(`child:${id}:`)) {
    const child = key.slice(`child:${id}:`.length)
    table.set(key, undefined)
    if (kind === 'shortcut') await removeShortcut(tree, child)
    else if (selection.has(child)) addTodo(tree, { do: 'look', id: child })
    else if ((await table.get(`folder:${child}`)) === id) addLeaving(tree, child)
  }
  for (const key of (await table.entries(`aimed:${id}:`)).keys()) {
    table.set(key, undefined)
    addTodo(tree, { do: 'look', id: key.slice(`aimed:${id}:`.length) })
  }
  // It may be the target of a shortcut, or selected and only moved to the trash.
  addTodo(tree, { do: 'look', id })
}

/** Deselected folders removed by one page. */
const DESELECTED_MAX = 100

/**
 * Returns the folders that the tree contains, or that were deselected before and not removed yet, and that are no
 * longer in the selection. Each has the chain of its owners up to a selected item. Must be called before a crawl
 * rebuilds the tree.
 */
async function findDeselected(tree: Tree): Promise<Map<string, string>> {
  const { table, selection } = tree
  const found = new Map<string, string>()
  const isChosen = (chain: readonly string[]) => chain.some((id) => selection.has(id))
  for (const [key, chain] of await table.entries('deselected:'))
    if (!isChosen(chain.split(' '))) found.set(key.slice('deselected:'.length), chain)
  const holders = await table.entries('folder:')
  for (const key of holders.keys()) {
    const id = key.slice('folder:'.length)
    const chain = await findChain(tree, holders, id)
    if (chain !== undefined && !isChosen(chain)) found.set(id, chain.join(' '))
  }
  return found
}

/** Marks folders for removal after the crawl. */
function noteDeselected({ table }: Tree, folders: ReadonlyMap<string, string>): void {
  for (const [id, chain] of folders) table.set(`deselected:${id}`, chain)
}

/**
 * Removes some deselected folders with their contents. Returns true if none is left. If no selected item exists, none
 * is removed, because the selection is then probably a mistake.
 */
async function removeDeselected({ table, selection, emptied }: Tree): Promise<boolean> {
  const waiting = [...(await table.entries('deselected:')).keys()]
  if (waiting.length === 0) return true
  const there = await Promise.all([...selection].map((id) => table.get(`folder:${id}`)))
  if (there.every((holder) => holder === undefined)) return true
  for (const key of waiting.slice(0, DESELECTED_MAX)) {
    const id = key.slice('deselected:'.length)
    table.set(key, undefined)
    if ((await table.get(`folder:${id}`)) === undefined) emptied.add(id)
  }
  return waiting.length <= DESELECTED_MAX
}

/** Returns the folder and its owners up to a selected item, or undefined if the tree does not contain them. */
async function findChain(
  { table }: Tree,
  holders: ReadonlyMap<string, string>,
  id: string
): Promise<string[] | undefined> {
  const chain: string[] = []
  for (let at = id; !chain.includes(at); ) {
    chain.push(at)
    const holder = holders.get(`folder:${at}`) ?? (await findShortcutFolder(table, at))
    if (holder === undefined) return undefined
    if (holder === '') return chain
    at = holder
  }
  return undefined
}

async function findShortcutFolder(table: Tree['table'], id: string): Promise<string | undefined> {
  const pointer = await table.get(`shortcut:${id}`)
  return pointer === undefined ? undefined : (JSON.parse(pointer) as { folder: string }).folder
}
