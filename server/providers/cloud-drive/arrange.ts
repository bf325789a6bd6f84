import { FEEDS_MAX } from './cursor.ts'
import { toSeenFile } from './file-item.ts'
import { getStartToken } from './requests.ts'
import { addGone, addLeaving, addLeft, addSeen, addTodo, findUnlistedAbove, type Pointer, type Tree } from './tree.ts'

import { type DriveFile, FOLDER_TYPE, SHORTCUT_TYPE } from './wire.ts'

/**
 * Updates the place of a file, folder or shortcut: adds it to the selection, moves it within the selection, or removes
 * it. Idempotent.
 */
export async function arrange(tree: Tree, file: DriveFile): Promise<void> {
  if (file.trashed) return removeItem(tree, file.id)
  if (tree.selection.has(file.id)) tree.named.set(file.id, file.name)
  const holder = await findHolder(tree, file)
  if (holder === undefined) return removeUnheld(tree, file)
  await followDrive(tree, file.driveId)
  if (file.mimeType === FOLDER_TYPE) return placeFolder(tree, file, holder)
  if (file.mimeType === SHORTCUT_TYPE) return placeShortcut(tree, file, holder)
  addSeen(tree, toSeenFile(file, holder, tree.call.reads))
}

/**
 * Handles an item without an owner in the tree. The tree may lack folders, because a listing may lag. A known folder or
 * shortcut stays if the folders above it lead to the selection, and these are listed. A file is looked up by its id.
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

/** Removes an item that was deleted or has no owner in the selection. */
export async function removeItem(tree: Tree, id: string): Promise<void> {
  const { table } = tree
  const held = await table.get(`folder:${id}`)
  if (held !== undefined) return addLeaving(tree, id)
  if ((await table.get(`shortcut:${id}`)) !== undefined) return removeShortcut(tree, id)
  addGone(tree, id)
  if (tree.selection.has(id)) tree.leftOut.set(id, NOT_THERE)
}

/** The reason reported for a selected item. Nothing else would show that it is not synced. */
const NOT_THERE = 'selected but not found: it was deleted, is in the trash, or does not belong to this account'

/** Removes a shortcut. Its target is checked again, since it may have another owner. */
export async function removeShortcut(tree: Tree, id: string): Promise<void> {
  const { table } = tree
  const { folder, target } = await readPointer(tree, id)
  table.set(`shortcut:${id}`, undefined)
  table.set(`pointer:${target}:${id}`, undefined)
  table.set(`child:${folder}:${id}`, undefined)
  if ((await table.get(`folder:${target}`)) === id) addLeaving(tree, target)
  addTodo(tree, { do: 'look', id: target })
}

/**
 * Returns the owner of a file: `''` if it was selected itself, its folder, or a shortcut. Returns undefined if it has
 * none.
 */
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
  // A selected folder within another folder must be checked again when that one leaves.
  const under =
    holder !== '' ? holder : parent !== undefined && (await table.get(`folder:${parent}`)) !== undefined ? parent : ''
  if (before !== undefined && before !== holder) table.set(`child:${before}:${id}`, undefined)
  table.set(`folder:${id}`, holder)
  if (under !== '') table.set(`child:${under}:${id}`, 'folder')
  // It may have been reported as missing before.
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

/** Follows the change feed of a shared drive, from before its first listing. */
async function followDrive({ call, state }: Tree, drive: string | undefined): Promise<void> {
  if (drive === undefined || state.feeds.some((feed) => feed.drive === drive)) return
  if (state.feeds.length >= FEEDS_MAX) {
    call.log.info({ drive }, `changes of at most ${FEEDS_MAX - 1} shared drives are followed`)
    return
  }
  state.feeds.push({ drive, token: await getStartToken(call, drive) })
}
