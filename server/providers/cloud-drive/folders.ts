import type { FolderEntry, ProviderCall } from '../port/provider.ts'
import { ProviderFailure, unlessGone } from '../port/provider-failure.ts'

import { ALL_DRIVES, askDrive, getFile, quoteId, toCorpus } from './requests.ts'
import { DriveFile, DriveList, FileList, FOLDER_TYPE, ParentList } from './wire.ts'

/** The maximum page sizes of Drive (discovery document). */
const FOLDERS_PER_PAGE = 1000
const DRIVES_MAX = 100
/** A listing with more pages is broken. */
const PAGES_MAX = 1000

/**
 * Lists the folders below one. At the top level, lists those of My Drive, then shared drives, then folders that others
 * shared and that have no place in this account's tree.
 */
export async function* folders(
  call: ProviderCall,
  parentId: string | undefined
): AsyncIterable<readonly FolderEntry[]> {
  if (parentId === undefined) {
    yield* listMatching(call, "'root' in parents", undefined)
    yield* listSharedDrives(call)
    yield* listMatching(call, 'sharedWithMe = true', undefined)
    return
  }
  const query = { fields: 'id,name,mimeType,driveId', supportsAllDrives: true }
  const path = `/files/${encodeURIComponent(parentId)}`
  const { driveId } = await askDrive(call, { path, query, reply: DriveFile, what: 'the folder', subject: 'item' })
  yield* listMatching(call, `${quoteId(parentId)} in parents`, driveId)
}

async function* listMatching(call: ProviderCall, condition: string, driveId: string | undefined) {
  const q = `${condition} and mimeType = '${FOLDER_TYPE}' and trashed = false`
  const fields = 'nextPageToken,files(id,name,mimeType)'
  yield* followPages(async (pageToken) => {
    const query = { ...ALL_DRIVES, ...toCorpus(driveId), q, fields, pageSize: FOLDERS_PER_PAGE, pageToken }
    const reply = await askDrive(call, { path: '/files', query, reply: FileList, what: 'the list of folders' })
    return { found: await markParents(call, reply.files, driveId), next: reply.nextPageToken }
  })
}

async function* listSharedDrives(call: ProviderCall) {
  const fields = 'nextPageToken,drives(id,name)'
  yield* followPages(async (pageToken) => {
    const query = { pageSize: DRIVES_MAX, fields, pageToken }
    const reply = await askDrive(call, { path: '/drives', query, reply: DriveList, what: 'the list of shared drives' })
    const found: FolderEntry[] = []
    for (const drive of reply.drives) found.push(...(await markParents(call, [drive], drive.id)))
    return { found, next: reply.nextPageToken }
  })
}

type Paged = { found: readonly FolderEntry[]; next: string | undefined }

async function* followPages(ask: (pageToken: string | undefined) => Promise<Paged>) {
  let token: string | undefined
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { found, next } = await ask(token)
    if (found.length > 0) yield found
    if (next === undefined) return
    if (next === token) break
    token = next
  }
  throw new ProviderFailure('contract_broken', 'the list of folders does not end')
}

/** This many ids fit into a URL of less than 8 KiB. */
const PARENTS_MAX = 80
/** Maximum number of concurrent requests. */
const PARALLEL = 4

type Named = { id: string; name: string }

/**
 * Adds to each folder whether it has subfolders. Drive does not report this for a folder, so the parents among many
 * folders are queried together.
 */
async function markParents(
  call: ProviderCall,
  found: readonly Named[],
  driveId: string | undefined
): Promise<FolderEntry[]> {
  const parents = new Set<string>()
  const batches = splitInto(found, PARENTS_MAX)
  for (const group of splitInto(batches, PARALLEL)) {
    const known = await Promise.all(group.map((batch) => findParents(call, toIdSet(batch), driveId)))
    for (const id of known.flat()) parents.add(id)
  }
  return found.map(({ id, name }) => ({ id, name, hasChildren: parents.has(id) }))
}

/**
 * Finds the folders that have subfolders. Repeats the query for the remaining ids while there are more results; each
 * round finds at least one.
 */
async function findParents(call: ProviderCall, ids: ReadonlySet<string>, driveId: string | undefined) {
  const unknown = new Set(ids)
  const parents: string[] = []
  for (let round = 0; round < PARENTS_MAX && unknown.size > 0; round += 1) {
    const { files, nextPageToken } = await listChildFolders(call, unknown, driveId)
    const now = new Set(files.flatMap((file) => file.parents ?? []).filter((id) => unknown.has(id)))
    parents.push(...now)
    for (const id of now) unknown.delete(id)
    if (nextPageToken === undefined || now.size === 0) break
  }
  return parents
}

function listChildFolders(call: ProviderCall, ids: ReadonlySet<string>, driveId: string | undefined) {
  const within = [...ids].map((id) => `${quoteId(id)} in parents`).join(' or ')
  const q = `(${within}) and mimeType = '${FOLDER_TYPE}' and trashed = false`
  const query = { ...ALL_DRIVES, ...toCorpus(driveId), q, fields: 'nextPageToken,files(parents)', pageSize: 1000 }
  return askDrive(call, { path: '/files', query, reply: ParentList, what: 'the list of folders' })
}

function toIdSet(batch: readonly Named[]): Set<string> {
  return new Set(batch.map(({ id }) => id))
}

function splitInto<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size))
}

/** See `Provider.findPlaceName`. The item must not be in the trash and must have this id. */
export async function findPlaceName(call: ProviderCall, id: string): Promise<string | undefined> {
  const file = await unlessGone(getFile(call, id))
  return file?.id === id && file.trashed !== true ? file.name : undefined
}
