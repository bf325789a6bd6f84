import type { FolderEntry, ProviderCall } from '../provider.ts'
import { ALL_DRIVES, askDrive, corpusOf, quoted } from './ask-drive.ts'
import { FOLDER_TYPE, ParentList } from './wire.ts'

/** So many ids fit into an address of less than 8 KiB. */
const PARENTS_MAX = 80
/** Questions that are on their way at once. */
const PARALLEL = 4

type Named = { id: string; name: string }

/**
 * Folders with whether there are folders in them. Drive does not say so of a folder: who is a parent is asked for many of them
 * at once.
 */
export async function withChildren(
  call: ProviderCall,
  found: readonly Named[],
  driveId: string | undefined
): Promise<FolderEntry[]> {
  const parents = new Set<string>()
  const batches = slices(found, PARENTS_MAX)
  for (const group of slices(batches, PARALLEL)) {
    const known = await Promise.all(group.map((batch) => parentsAmong(call, idsOf(batch), driveId)))
    for (const id of known.flat()) parents.add(id)
  }
  return found.map(({ id, name }) => ({ id, name, hasChildren: parents.has(id) }))
}

/** Asked again for those that are not known yet while there is more: each time at least one becomes known. */
async function parentsAmong(call: ProviderCall, ids: ReadonlySet<string>, driveId: string | undefined) {
  const unknown = new Set(ids)
  const parents: string[] = []
  for (let round = 0; round < PARENTS_MAX && unknown.size > 0; round += 1) {
    const { files, nextPageToken } = await childFolders(call, unknown, driveId)
    const now = new Set(files.flatMap((file) => file.parents ?? []).filter((id) => unknown.has(id)))
    parents.push(...now)
    for (const id of now) unknown.delete(id)
    if (nextPageToken === undefined || now.size === 0) break
  }
  return parents
}

function childFolders(call: ProviderCall, ids: ReadonlySet<string>, driveId: string | undefined) {
  const within = [...ids].map((id) => `${quoted(id)} in parents`).join(' or ')
  const q = `(${within}) and mimeType = '${FOLDER_TYPE}' and trashed = false`
  const query = { ...ALL_DRIVES, ...corpusOf(driveId), q, fields: 'nextPageToken,files(parents)', pageSize: 1000 }
  return askDrive(call, { path: '/files', query, reply: ParentList, what: 'the list of folders' })
}

function idsOf(batch: readonly Named[]): Set<string> {
  return new Set(batch.map(({ id }) => id))
}

function slices<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size))
}
