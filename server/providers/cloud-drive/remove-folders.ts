import { leaveShortcut } from './arrange.ts'
import { addLeaving, addTodo, type Tree, takeLeaving } from './tree.ts'

/** Folders that leave with one page. */
const FOLDERS_MAX = 100

/**
 * Takes folders out that wait for it, with all that they hold. What something else may hold is looked at afterwards: so folders that
 * hold only one another, through shortcuts, vanish, and the others come back.
 */
export async function removeFolders(tree: Tree): Promise<void> {
  for (let count = 0; count < FOLDERS_MAX; count += 1) {
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
    if (kind === 'shortcut') await leaveShortcut(tree, child)
    else if (selection.has(child)) addTodo(tree, { do: 'look', id: child })
    else if ((await table.get(`folder:${child}`)) === id) addLeaving(tree, child)
  }
  for (const key of (await table.entries(`aimed:${id}:`)).keys()) {
    table.set(key, undefined)
    addTodo(tree, { do: 'look', id: key.slice(`aimed:${id}:`.length) })
  }
  // It may be held by a shortcut, or selected and only moved into the trash.
  addTodo(tree, { do: 'look', id })
}
