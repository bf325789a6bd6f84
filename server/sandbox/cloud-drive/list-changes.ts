import type { StandInCall } from '../stand-in.ts'
import { contentOf, type DriveContent, logOf } from './content.ts'
import { fileResource } from './file-resource.ts'
import { googleError, invalidValue } from './google-error.ts'
import { partial, sizeOf } from './partial.ts'

/** `drive.changes.getStartPageToken` */
export function startPageToken({ account, query }: StandInCall): Response {
  const content = contentOf(account)
  const drive = query.get('driveId') ?? undefined
  if (drive !== undefined && !content.drives.has(drive)) return driveNotFound(drive)
  const { first, changed } = logOf(content, drive)
  const reply = { kind: 'drive#startPageToken', startPageToken: String(first + changed.length) }
  return partial(query, reply, '*')
}

/** `drive.changes.list`: each file once, as it is now, where it changed last; the log of a shared drive is its own. */
export function listChanges(call: StandInCall): Response {
  const { account, query } = call
  const content = contentOf(account)
  const drive = query.get('driveId') ?? undefined
  if (drive !== undefined && !content.drives.has(drive)) return driveNotFound(drive)
  const { first, changed } = logOf(content, drive)
  const token = query.get('pageToken') ?? ''
  const from = /^\d{1,12}$/.test(token) ? Number(token) - first : -1
  const size = sizeOf(query, { usual: 100, most: 1000 })
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
  return partial(query, { kind: 'drive#changeList', ...end, changes }, '*')
}

function changeResource(content: DriveContent, { id, at }: { id: string; at: number }) {
  const node = content.nodes.get(id)
  const change = { kind: 'drive#change', changeType: 'file', time: new Date(at).toISOString(), fileId: id }
  if (node === undefined) return { ...change, removed: true }
  return { ...change, removed: false, file: fileResource(content, node) }
}

/** `drive.drives.list` */
export function listDrives({ account, query }: StandInCall): Response {
  const { drives } = contentOf(account)
  const size = sizeOf(query, { usual: 10, most: 100 })
  if (size === undefined) return invalidValue('pageSize')
  const after = query.get('pageToken') ?? ''
  const ids = [...drives.keys()].sort().filter((id) => id > after)
  const found = ids.slice(0, size).map((id) => driveResource(id, drives.get(id)))
  const next = ids.length > size ? { nextPageToken: ids[size - 1] } : {}
  return partial(query, { kind: 'drive#driveList', ...next, drives: found }, '*')
}

/** `drive.drives.get` */
export function getDrive({ account, params, query }: StandInCall): Response {
  const id = params.driveId ?? ''
  const { drives } = contentOf(account)
  return drives.has(id) ? partial(query, driveResource(id, drives.get(id)), '*') : driveNotFound(id)
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
