import type { SandboxCall, SandboxRoute } from '../core/sandbox-provider.ts'
import { wrongParameter } from '../google/published-api.ts'
import { type DriveComment, type DriveContent, getContent, getLog } from './content.ts'
import { fileNotFound, googleError, invalidFields, invalidValue } from './errors.ts'
import { exportFile, getFile } from './file-content.ts'
import { listFiles } from './list-files.ts'
import { PUBLISHED, SCOPES } from './published.ts'
import { fileResource, partialReply, readPageSize, userResource } from './views.ts'

/** The operations of Drive v3 that are implemented. */
export const ROUTES: readonly SandboxRoute[] = [
  route('/drive/v3/about', 'drive.about.get', about),
  route('/drive/v3/files', 'drive.files.list', listFiles),
  route('/drive/v3/files/{fileId}', 'drive.files.get', getFile),
  route('/drive/v3/files/{fileId}/export', 'drive.files.export', exportFile),
  route('/drive/v3/files/{fileId}/comments', 'drive.comments.list', listComments),
  route('/drive/v3/changes', 'drive.changes.list', listChanges),
  route('/drive/v3/changes/startPageToken', 'drive.changes.getStartPageToken', startPageToken),
  route('/drive/v3/drives', 'drive.drives.list', listDrives),
  route('/drive/v3/drives/{driveId}', 'drive.drives.get', getDrive)
]

function route(path: string, operation: string, answer: (call: SandboxCall) => Response): SandboxRoute {
  return {
    method: 'GET',
    path,
    operation,
    answer: (call) => checkScope(call) ?? checkQuery(operation, call) ?? answer(call)
  }
}

/** Refuses a parameter value of the wrong type, and a field that the reply does not have. */
function checkQuery(operation: string, { query }: SandboxCall): Response | undefined {
  const wrong = wrongParameter(PUBLISHED, operation, query)
  if (wrong === undefined) return undefined
  return wrong.parameter === 'fields' ? invalidFields(wrong.value) : invalidValue(wrong.parameter)
}

/** Checks the scopes. Content requires more than metadata. */
function checkScope({ scopes, query, request }: SandboxCall): Response | undefined {
  const isContent = query.get('alt') === 'media' || /\/(export|comments)$/.test(new URL(request.url).pathname)
  if (scopes.includes(SCOPES.readonly) || (scopes.includes(SCOPES.metadata) && !isContent)) return undefined
  const message = 'Request had insufficient authentication scopes.'
  return googleError({ status: 403, reason: 'insufficientPermissions', message })
}

function about({ account, query }: SandboxCall): Response {
  const content = getContent(account)
  if (query.get('fields') === null) return fieldsRequired()
  return partialReply(query, { kind: 'drive#about', user: userResource(content) }, '*')
}

function fieldsRequired(): Response {
  const message = "The 'fields' parameter is required for this method."
  return googleError({ status: 400, reason: 'required', message, parameter: 'fields' })
}

/** Implements `drive.comments.list`. A page token is the place of the next comment. */
function listComments({ account, params, query }: SandboxCall): Response {
  const { fileId = '' } = params
  const node = getContent(account).nodes.get(fileId)
  if (node === undefined) return fileNotFound(fileId)
  if (query.get('fields') === null) return fieldsRequired()
  const size = readPageSize(query, { usual: 20, most: 100 })
  const token = query.get('pageToken') ?? '0'
  if (size === undefined) return invalidValue('pageSize')
  if (!/^\d{1,9}$/.test(token)) return invalidValue('pageToken')
  const isShown = ({ deleted }: DriveComment) => !deleted || query.get('includeDeleted') === 'true'
  const comments = (node.comments ?? []).filter(isShown)
  const end = Number(token) + size
  const next = end < comments.length ? { nextPageToken: String(end) } : {}
  const page = comments.slice(Number(token), end).map(commentResource)
  return partialReply(query, { kind: 'drive#commentList', ...next, comments: page }, '*')
}

/** Builds a comment. The content of a deleted one is not shown. */
function commentResource({ quoted, replies, ...comment }: DriveComment): Record<string, unknown> {
  return {
    ...replyResource(comment),
    kind: 'drive#comment',
    resolved: false,
    ...(quoted !== undefined && { quotedFileContent: { mimeType: 'text/html', value: quoted } }),
    replies: replies.map(replyResource)
  }
}

function replyResource({ id, author, content, createdAt, deleted }: Omit<DriveComment, 'quoted' | 'replies'>) {
  const time = new Date(createdAt).toISOString()
  const person = { kind: 'drive#user', displayName: author, me: false }
  const said = deleted ? {} : { content, htmlContent: content }
  return { kind: 'drive#reply', id, author: person, createdTime: time, modifiedTime: time, deleted, ...said }
}

/** Implements `drive.changes.getStartPageToken`. */
function startPageToken({ account, query }: SandboxCall): Response {
  const content = getContent(account)
  const drive = query.get('driveId') ?? undefined
  if (drive !== undefined && !content.drives.has(drive)) return driveNotFound(drive)
  const { first, changed } = getLog(content, drive)
  const reply = { kind: 'drive#startPageToken', startPageToken: String(first + changed.length) }
  return partialReply(query, reply, '*')
}

/**
 * Implements `drive.changes.list`. Each file is listed once, in its current state, at its latest change. A shared drive
 * has its own log.
 */
function listChanges(call: SandboxCall): Response {
  const { account, query } = call
  const content = getContent(account)
  const drive = query.get('driveId') ?? undefined
  if (drive !== undefined && !content.drives.has(drive)) return driveNotFound(drive)
  const { first, changed } = getLog(content, drive)
  const token = query.get('pageToken') ?? ''
  const from = /^\d{1,12}$/.test(token) ? Number(token) - first : -1
  const size = readPageSize(query, { usual: 100, most: 1000 })
  if (from < 0 || from > changed.length) return invalidValue('pageToken')
  if (size === undefined) return invalidValue('pageSize')

  const known = changed.slice(0, Math.max(0, changed.length - (call.fault('lag')?.value ?? 0)))
  const latest = new Map(known.map(({ id }, i) => [id, i]))
  const due = [...latest].filter(([, i]) => i >= from).sort((a, b) => a[1] - b[1])
  const page = due.slice(0, size)
  const changes = page.map(([id, i]) => changeResource(content, { id, at: changed[i]?.at ?? 0 }))
  const isRepeated = call.fault('repeat_cursor') !== undefined
  const next = isRepeated ? token : String(first + (page.at(-1)?.[1] ?? 0) + 1)
  const isMore = due.length > size || isRepeated
  const end = isMore ? { nextPageToken: next } : { newStartPageToken: String(first + Math.max(from, known.length)) }
  return partialReply(query, { kind: 'drive#changeList', ...end, changes }, '*')
}

function changeResource(content: DriveContent, { id, at }: { id: string; at: number }) {
  const node = content.nodes.get(id)
  const change = { kind: 'drive#change', changeType: 'file', time: new Date(at).toISOString(), fileId: id }
  if (node === undefined) return { ...change, removed: true }
  return { ...change, removed: false, file: fileResource(content, node) }
}

/** Implements `drive.drives.list`. */
function listDrives({ account, query }: SandboxCall): Response {
  const { drives } = getContent(account)
  const size = readPageSize(query, { usual: 10, most: 100 })
  if (size === undefined) return invalidValue('pageSize')
  const after = query.get('pageToken') ?? ''
  const ids = [...drives.keys()].sort().filter((id) => id > after)
  const found = ids.slice(0, size).map((id) => driveResource(id, drives.get(id)))
  const next = ids.length > size ? { nextPageToken: ids[size - 1] } : {}
  return partialReply(query, { kind: 'drive#driveList', ...next, drives: found }, '*')
}

/** Implements `drive.drives.get`. */
function getDrive({ account, params, query }: SandboxCall): Response {
  const id = params.driveId ?? ''
  const { drives } = getContent(account)
  return drives.has(id) ? partialReply(query, driveResource(id, drives.get(id)), '*') : driveNotFound(id)
}

function driveResource(id: string, name = '') {
  return { kind: 'drive#drive', id, name }
}

function driveNotFound(id: string): Response {
  return googleError({
    status: 404,
    reason: 'notFound',
    message: `Shared drive not found: ${id}`,
    parameter: 'driveId'
  })
}
