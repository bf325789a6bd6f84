import { createHash } from 'node:crypto'
import { applyMask, readMask } from '../google/mask.ts'
import { type DriveContent, type DriveNode, FOLDER_TYPE, isTrashed, SHORTCUT_TYPE } from './content.ts'
import { invalidFields } from './errors.ts'

const NATIVE = 'application/vnd.google-apps.'

/** Builds the `File` of the discovery document with all implemented members. */
export function fileResource(content: DriveContent, node: DriveNode): Record<string, unknown> {
  const { id, name, mimeType, parent, driveId, target } = node
  const hasBytes = !mimeType.startsWith(NATIVE)
  return {
    kind: 'drive#file',
    id,
    name,
    mimeType,
    ...(parent !== undefined && { parents: [parent] }),
    ...(driveId !== undefined && { driveId }),
    trashed: isTrashed(content, node),
    explicitlyTrashed: node.trashed,
    createdTime: new Date(node.createdAt).toISOString(),
    modifiedTime: new Date(node.modifiedAt).toISOString(),
    version: String(node.version),
    webViewLink: linkTo(node),
    capabilities: { canDownload: node.downloadable },
    ...(driveId === undefined && {
      owners: [{ ...userResource(content), me: parent !== undefined || id === content.root }]
    }),
    shared: driveId !== undefined || parent === undefined,
    spaces: ['drive'],
    ...(hasBytes && bytesResource(node)),
    ...(target !== undefined && { shortcutDetails: shortcutDetails(content, target) })
  }
}

/** The members that Drive returns without `fields`. */
export const USUAL_FIELDS = 'kind,id,name,mimeType'

/** Builds the `User` of the discovery document for the account. */
export function userResource({ user }: DriveContent) {
  return { kind: 'drive#user', displayName: user.name, emailAddress: user.email, permissionId: user.id, me: true }
}

function bytesResource(node: DriveNode) {
  const { bytes, size, name, revision, id } = node
  const extension = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1] ?? ''
  return {
    size: String(size ?? bytes.length),
    ...computeChecksums(node),
    headRevisionId: createHash('sha256').update(`${id} ${revision}`).digest('base64url').slice(0, 28),
    fileExtension: extension,
    originalFilename: name
  }
}

function shortcutDetails({ nodes }: DriveContent, targetId: string) {
  const target = nodes.get(targetId)
  return { targetId, ...(target !== undefined && { targetMimeType: target.mimeType }) }
}

/** Returns a URL that leads nowhere, so that it cannot be confused with one of the real service. */
function linkTo({ id, mimeType }: DriveNode): string {
  const kind = mimeType === FOLDER_TYPE || mimeType === SHORTCUT_TYPE ? 'folders' : 'file'
  return `https://drive.sandbox.invalid/${kind}/${id}`
}

/**
 * Larger files have no checksums: their bytes are generated while they are read, and generating them only for a
 * checksum takes too long.
 */
const CHECKED_BYTES_MAX = 64 * 1024 * 1024

type Checksums = { md5Checksum: string; sha256Checksum: string }

/** Checksums by bytes, because each listing contains them. The bytes are replaced as a whole if a file changes. */
const made = new WeakMap<Uint8Array, Checksums & { size: number | undefined }>()

/** Computes the checksums of a file's download. */
function computeChecksums({ bytes, size }: Pick<DriveNode, 'bytes' | 'size'>): Partial<Checksums> {
  if ((size ?? 0) > CHECKED_BYTES_MAX) return {}
  const known = made.get(bytes)
  const found = known !== undefined && known.size === size ? known : { size, ...hashRepeated(bytes, size) }
  made.set(bytes, found)
  const { md5Checksum, sha256Checksum } = found
  return { md5Checksum, sha256Checksum }
}

function hashRepeated(bytes: Uint8Array, size: number | undefined): Checksums {
  const [md5, sha256] = [createHash('md5'), createHash('sha256')]
  for (const piece of size === undefined ? [bytes] : repeatChunks(bytes, size)) {
    md5.update(piece)
    sha256.update(piece)
  }
  return { md5Checksum: md5.digest('hex'), sha256Checksum: sha256.digest('hex') }
}

/** Bytes in one chunk of a generated body. */
const PIECE_BYTES = 64 * 1024

/**
 * Streams `size` bytes by repeating the given ones. Only one chunk is in memory, so a file of any size costs nothing.
 */
export function streamRepeated(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  const pieces = repeatChunks(bytes, size)
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    }
  })
}

/** Yields the chunks in order. */
function* repeatChunks(bytes: Uint8Array, size: number): Generator<Uint8Array, undefined> {
  const unit = bytes.length === 0 ? new Uint8Array(1).fill(0x20) : bytes
  let sent = 0
  while (sent < size) {
    const piece = new Uint8Array(Math.min(PIECE_BYTES, size - sent))
    for (let i = 0; i < piece.length; i += 1) piece[i] = unit[(sent + i) % unit.length] ?? 0
    sent += piece.length
    yield piece
  }
}

/** Builds a reply with the requested members, or the usual ones. */
export function partialReply(query: URLSearchParams, value: unknown, usual: string): Response {
  const fields = query.get('fields') ?? usual
  const mask = fields === '*' ? 'all' : readMask(fields)
  return mask === undefined ? invalidFields(fields) : Response.json(applyMask(value, mask))
}

/** Parses the page size, or returns undefined if it is out of range. */
export function readPageSize(
  query: URLSearchParams,
  { usual, most }: { usual: number; most: number }
): number | undefined {
  const said = query.get('pageSize')
  if (said === null) return usual
  const size = /^\d{1,5}$/.test(said) ? Number(said) : 0
  return size >= 1 && size <= most ? size : undefined
}
