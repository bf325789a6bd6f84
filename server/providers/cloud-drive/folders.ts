import type { FolderEntry, ProviderCall } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { ALL_DRIVES, askDrive, corpusOf, quoted } from './ask-drive.ts'
import { DriveFile, DriveList, FileList, FOLDER_TYPE } from './wire.ts'
import { withChildren } from './with-children.ts'

/** The most that Drive gives at once (discovery document). */
const FOLDERS_MAX = 1000
const DRIVES_MAX = 100
/** A listing that has still not ended after so many pages is broken. */
const PAGES_MAX = 1000

/**
 * Folders below one; at the top those of My Drive, then shared drives, then folders that others shared and that have no place in
 * this account's tree.
 */
export async function* folders(
  call: ProviderCall,
  parentId: string | undefined
): AsyncIterable<readonly FolderEntry[]> {
  if (parentId === undefined) {
    yield* matching(call, "'root' in parents", undefined)
    yield* sharedDrives(call)
    yield* matching(call, 'sharedWithMe = true', undefined)
    return
  }
  const query = { fields: 'id,name,mimeType,driveId', supportsAllDrives: true }
  const path = `/files/${encodeURIComponent(parentId)}`
  const { driveId } = await askDrive(call, { path, query, reply: DriveFile, what: 'the folder', subject: 'item' })
  yield* matching(call, `${quoted(parentId)} in parents`, driveId)
}

async function* matching(call: ProviderCall, condition: string, driveId: string | undefined) {
  const q = `${condition} and mimeType = '${FOLDER_TYPE}' and trashed = false`
  const fields = 'nextPageToken,files(id,name,mimeType)'
  yield* pages(async (pageToken) => {
    const query = { ...ALL_DRIVES, ...corpusOf(driveId), q, fields, pageSize: FOLDERS_MAX, pageToken }
    const reply = await askDrive(call, { path: '/files', query, reply: FileList, what: 'the list of folders' })
    return { found: await withChildren(call, reply.files, driveId), next: reply.nextPageToken }
  })
}

async function* sharedDrives(call: ProviderCall) {
  const fields = 'nextPageToken,drives(id,name)'
  yield* pages(async (pageToken) => {
    const query = { pageSize: DRIVES_MAX, fields, pageToken }
    const reply = await askDrive(call, { path: '/drives', query, reply: DriveList, what: 'the list of shared drives' })
    const found: FolderEntry[] = []
    for (const drive of reply.drives) found.push(...(await withChildren(call, [drive], drive.id)))
    return { found, next: reply.nextPageToken }
  })
}

type Paged = { found: readonly FolderEntry[]; next: string | undefined }

async function* pages(ask: (pageToken: string | undefined) => Promise<Paged>) {
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
