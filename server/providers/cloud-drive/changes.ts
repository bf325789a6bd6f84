import type { Page, PageFrom, SyncCall } from '../provider.ts'
import { type CursorState, readCursor } from './cursor.ts'
import { deselectedFolders, leaveDeselected, noteDeselected } from './deselected.ts'
import { listFolders } from './list-folders.ts'
import { readFeed } from './read-feed.ts'
import { removeFolders } from './remove-folders.ts'
import { startToken } from './start-token.ts'
import { addTodo, emptyQueue, isEmpty, openTree, pageOf, rewindQueues, type Tree } from './tree.ts'

/**
 * Without a cursor, the feed's start is noted first and then the selection is listed folder by folder, so that what changes
 * meanwhile comes with the feed. Each page does one kind of work, in this order: folders that leave, what waits to be listed, the feed.
 */
export async function changes(call: SyncCall, from: PageFrom): Promise<Page> {
  if (from.cursor === undefined) return beginning(call, from.selection, 'changes')
  const tree = openTree(call, from.selection, readCursor(from.cursor, 'changes'))
  const isOver = (await work(tree)) && (await leaveDeselected(tree))
  if (isOver) tree.state.turn = 0
  return pageOf(tree, { more: !isOver })
}

/** The first page, which lists nothing yet. What an earlier crawl left in the ledger is taken out, but for what was deselected since. */
export async function beginning(
  call: SyncCall,
  selection: readonly string[],
  kind: CursorState['kind']
): Promise<Page> {
  const feeds = [{ token: await startToken(call, undefined) }]
  const tree = openTree(call, selection, { v: 1, kind, feeds, turn: 0, todo: emptyQueue(), leaving: emptyQueue() })
  const deselected = kind === 'changes' ? await deselectedFolders(tree) : new Map<string, string>()
  await clear(tree)
  noteDeselected(tree, deselected)
  for (const id of tree.selection) addTodo(tree, { do: 'look', id })
  return pageOf(tree, { more: true })
}

/** One page of work; true where nothing is left to do. */
export async function work(tree: Tree): Promise<boolean> {
  const { state } = tree
  if (!isEmpty(state.leaving)) await removeFolders(tree)
  else if (!isEmpty(state.todo) || state.at !== undefined) await listFolders(tree)
  else await readFeed(tree)
  rewindQueues(state)
  return isEmpty(state.leaving) && isEmpty(state.todo) && state.at === undefined && state.turn >= state.feeds.length
}

/** Takes out all that the tree keeps. */
export async function clear({ table }: Tree): Promise<void> {
  for (const key of (await table.entries('')).keys()) table.set(key, undefined)
}
