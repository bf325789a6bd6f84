import { FEEDS_MAX } from './cursor.ts'
import { toSeenFile } from './file-item.ts'
import { getStartToken } from './requests.ts'
import { addGone, addLeaving, addLeft, addSeen, addTodo, findUnlistedAbove, type Pointer, type Tree } from './tree.ts'

import { type DriveFile, FOLDER_TYPE, SHORTCUT_TYPE } from './wire.ts'

/**
 * Puts a file, folder or shortcut where it belongs, as it is now: into the selection, to another place of it, or out of it. To be told the
 * same twice changes nothing.
 */
export async function arrange(tree: Tree, file: DriveFile): Promise<void> {
  if (file.trashed) return removeItem(tree, file.id)
  const holder = await findHolder(tree, file)
  if (holder === undefined) return removeUnheld(tree, file)
  await followDrive(tree, file.driveId)
  if (file.mimeType === FOLDER_TYPE) return placeFolder(tree, file, holder)
  if (file.mimeType === SHORTCUT_TYPE) return placeShortcut(tree, file, holder)
  addSeen(tree, toSeenFile(file, holder))
}

/**
 * Nothing in the tree holds the file, folder or shortcut. The tree may lack a folder, where a listing lagged: a folder or shortcut that it
 * knows stays where the folders above show that it lies in the selection, and these are listed; a file is looked up by its id.
 */
async function removeUnheld(tree: Tree, file: DriveFile): Promise<void> {
  const { id, mimeType, parents } = file
  if (mimeType !== FOLDER_TYPE && mimeType !== SHORTCUT_TYPE) return addLeft(tree, id)
  const isKnown = (await tree.table.get(`folder:${id}`)) ?? (await tree.table.get(`shortcut:${id}`))
  const parent = isKnown === undefined ? undefined : parents?.[0]
  const highest = parent === undefined ? undefined : (await findUnlistedAbove(tree, parent))?.at(-1)
  if (highest === undefined) return removeItem(tree, id)
  addTodo(tree, { do: 'look', id: highest })
}

/** The item is not there any more, or is held by nothing in the selection. */
export async function removeItem(tree: Tree, id: string): Promise<void> {
  const { table } = tree
  const held = await table.get(`folder:${id}`)
  if (held !== undefined) return addLeaving(tree, id)
  if ((await table.get(`shortcut:${id}`)) !== undefined) return removeShortcut(tree, id)
  addGone(tree, id)
  if (tree.selection.has(id)) tree.leftOut.set(id, NOT_THERE)
}

/** Of what was selected: nothing else would show that it is not synced. */
const NOT_THERE = 'selected, yet not there: deleted, in the trash, or not of this account'

/** Takes a shortcut out. What it points to is looked at again: something else may hold it. */
export async function removeShortcut(tree: Tree, id: string): Promise<void> {
  const { table } = tree
  const { folder, target } = await readPointer(tree, id)
  table.set(`shortcut:${id}`, undefined)
  table.set(`pointer:${target}:${id}`, undefined)
  table.set(`child:${folder}:${id}`, undefined)
  if ((await table.get(`folder:${target}`)) === id) addLeaving(tree, target)
  addTodo(tree, { do: 'look', id: target })
}

/** What holds a file: `''` where it was selected itself, its folder, or a shortcut; undefined where nothing does. */
async function findHolder(tree: Tree, file: DriveFile): Promise<string | undefined> {
  if (tree.selection.has(file.id)) return ''
  const parent = file.parents?.[0]
  const pointers = file.mimeType === SHORTCUT_TYPE ? [] : await findPointers(tree, file.id)
  if (pointers.length > 0 && parent !== undefined) tree.table.set(`aimed:${parent}:${file.id}`, '')
  if (parent !== undefined && (await tree.table.get(`folder:${parent}`)) !== undefined) return parent
  return pointers[0]
}

async function placeFolder(tree: Tree, { id, driveId, parents }: DriveFile, holder: string): Promise<void> {
  const { table } = tree
  const before = await table.get(`folder:${id}`)
  const parent = parents?.[0]
  // A selected folder that stands in another one has to be looked at when that one leaves.
  const under =
    holder !== '' ? holder : parent !== undefined && (await table.get(`folder:${parent}`)) !== undefined ? parent : ''
  if (before !== undefined && before !== holder) table.set(`child:${before}:${id}`, undefined)
  table.set(`folder:${id}`, holder)
  if (under !== '') table.set(`child:${under}:${id}`, 'folder')
  // It may have been told of as not there.
  if (tree.selection.has(id)) addGone(tree, id)
  if (before !== undefined) return
  addTodo(tree, { do: 'list', id, drive: driveId })
}

async function placeShortcut(tree: Tree, { id, shortcutDetails }: DriveFile, folder: string): Promise<void> {
  const { table } = tree
  const { targetId: target, targetMimeType } = shortcutDetails ?? {}
  if (target === undefined || targetMimeType === SHORTCUT_TYPE || folder === '') return
  const before = await table.get(`shortcut:${id}`)
  const pointer: Pointer = { folder, target }
  if (before === JSON.stringify(pointer)) return
  if (before !== undefined) table.set(`child:${(JSON.parse(before) as Pointer).folder}:${id}`, undefined)
  table.set(`shortcut:${id}`, JSON.stringify(pointer))
  table.set(`pointer:${target}:${id}`, '')
  table.set(`child:${folder}:${id}`, 'shortcut')
  addTodo(tree, { do: 'look', id: target })
}

async function findPointers({ table }: Tree, id: string): Promise<string[]> {
  const prefix = `pointer:${id}:`
  return [...(await table.entries(prefix)).keys()].map((key) => key.slice(prefix.length)).sort()
}

async function readPointer({ table }: Tree, id: string): Promise<Pointer> {
  return JSON.parse((await table.get(`shortcut:${id}`)) ?? '{"folder":"","target":""}')
}

/** A shared drive has a feed of its own, which is begun before anything of it is listed. */
async function followDrive({ call, state }: Tree, drive: string | undefined): Promise<void> {
  if (drive === undefined || state.feeds.some((feed) => feed.drive === drive)) return
  if (state.feeds.length >= FEEDS_MAX) {
    call.log.info({ drive }, `changes of at most ${FEEDS_MAX - 1} shared drives are followed`)
    return
  }
  state.feeds.push({ drive, token: await getStartToken(call, drive) })
}
