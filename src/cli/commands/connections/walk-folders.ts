import type { Folder } from '../../../contract/connection.ts'

/** A folder and where it was found: `level` 0 is where looking began. */
export type FolderAt = { folder: Folder; parentId: string | undefined; level: number }

type List = (parentId: string | undefined) => Promise<readonly Folder[]>

/** Folders as they are found, each followed by those in it, down to `depth` levels. One that was met before is not entered again. */
export async function* walkFolders(
  list: List,
  { parent, depth }: { parent: string | undefined; depth: number }
): AsyncGenerator<FolderAt> {
  const entered = new Set<string | undefined>([parent])
  const open = [{ folders: (await list(parent)).values(), parentId: parent }]
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { done, value: folder } = top.folders.next()
    if (done) {
      open.pop()
      continue
    }
    yield { folder, parentId: top.parentId, level: open.length - 1 }
    if (!folder.has_children || open.length >= depth || entered.has(folder.id)) continue
    entered.add(folder.id)
    open.push({ folders: (await list(folder.id)).values(), parentId: folder.id })
  }
}
