import type { Tree } from './tree.ts'

/** Folders that leave the selection with one page. */
const FOLDERS_MAX = 100

/**
 * Returns the folders that the tree holds, or that were deselected earlier and have not left yet, and that are no part of the selection any
 * more, each with the folders and shortcuts that held it up to the one that was selected. To be asked before a crawl makes the tree anew.
 */
export async function deselectedFolders(tree: Tree): Promise<Map<string, string>> {
  const { table, selection } = tree
  const found = new Map<string, string>()
  const isChosen = (chain: readonly string[]) => chain.some((id) => selection.has(id))
  for (const [key, chain] of await table.entries('deselected:'))
    if (!isChosen(chain.split(' '))) found.set(key.slice('deselected:'.length), chain)
  const holders = await table.entries('folder:')
  for (const key of holders.keys()) {
    const id = key.slice('folder:'.length)
    const chain = await chainOf(tree, holders, id)
    if (chain !== undefined && !isChosen(chain)) found.set(id, chain.join(' '))
  }
  return found
}

/** Notes folders that are to leave when the crawl has come to its end. */
export function noteDeselected({ table }: Tree, folders: ReadonlyMap<string, string>): void {
  for (const [id, chain] of folders) table.set(`deselected:${id}`, chain)
}

/**
 * Takes some deselected folders out with all that they held; true where none is left. Where nothing that was selected is there, none
 * leaves: then the selection is more likely a mistake.
 */
export async function leaveDeselected({ table, selection, emptied }: Tree): Promise<boolean> {
  const waiting = [...(await table.entries('deselected:')).keys()]
  if (waiting.length === 0) return true
  const there = await Promise.all([...selection].map((id) => table.get(`folder:${id}`)))
  if (there.every((holder) => holder === undefined)) return true
  for (const key of waiting.slice(0, FOLDERS_MAX)) {
    const id = key.slice('deselected:'.length)
    table.set(key, undefined)
    if ((await table.get(`folder:${id}`)) === undefined) emptied.add(id)
  }
  return waiting.length <= FOLDERS_MAX
}

/** The folder and what holds it, up to what was selected; undefined where the tree does not say. */
async function chainOf(
  { table }: Tree,
  holders: ReadonlyMap<string, string>,
  id: string
): Promise<string[] | undefined> {
  const chain: string[] = []
  for (let at = id; !chain.includes(at); ) {
    chain.push(at)
    const holder = holders.get(`folder:${at}`) ?? (await folderOfShortcut(table, at))
    if (holder === undefined) return undefined
    if (holder === '') return chain
    at = holder
  }
  return undefined
}

async function folderOfShortcut(table: Tree['table'], id: string): Promise<string | undefined> {
  const pointer = await table.get(`shortcut:${id}`)
  return pointer === undefined ? undefined : (JSON.parse(pointer) as { folder: string }).folder
}
