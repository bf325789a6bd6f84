import { createHash } from 'node:crypto'
import { applyMask, readMask } from '../google/mask.ts'
import { type DriveContent, type DriveNode, FOLDER_TYPE, isTrashed, SHORTCUT_TYPE } from './content.ts'
import { invalidFields } from './errors.ts'

const NATIVE = 'application/vnd.google-apps.'

/** A node as the `File` of the discovery document, with all members that the sandbox provider knows. */
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

/** Without `fields`, Drive tells only these of a file. */
export const USUAL_FIELDS = 'kind,id,name,mimeType'

/** The account as the `User` of the discovery document. */
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

/** An address that leads nowhere: nobody takes it for one of the real service. */
function linkTo({ id, mimeType }: DriveNode): string {
  const kind = mimeType === FOLDER_TYPE || mimeType === SHORTCUT_TYPE ? 'folders' : 'file'
  return `https://drive.sandbox.invalid/${kind}/${id}`
}

/** Files that are larger have none: their bytes are made while they are read, and to make them for this alone takes too long. */
const CHECKED_BYTES_MAX = 64 * 1024 * 1024

type Checksums = { md5Checksum: string; sha256Checksum: string }

/** By the bytes, which are replaced as a whole where a file changes: each listing tells of them again. */
const made = new WeakMap<Uint8Array, Checksums & { size: number | undefined }>()

/** Of what a download of a file gives. */
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

/** Bytes of a piece of a body that is made while it is read. */
const PIECE_BYTES = 64 * 1024

/** The same bytes again and again, `size` of them, of which no more than a piece is ever held: files of any size cost nothing. */
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

/** The pieces of it, in their order. */
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

/** A reply with the members that were asked for, or the usual ones. */
export function partialReply(query: URLSearchParams, value: unknown, usual: string): Response {
  const fields = query.get('fields') ?? usual
  const mask = fields === '*' ? 'all' : readMask(fields)
  return mask === undefined ? invalidFields(fields) : Response.json(applyMask(value, mask))
}

/** How many are wanted; undefined where that is out of bounds. */
export function readPageSize(
  query: URLSearchParams,
  { usual, most }: { usual: number; most: number }
): number | undefined {
  const said = query.get('pageSize')
  if (said === null) return usual
  const size = /^\d{1,5}$/.test(said) ? Number(said) : 0
  return size >= 1 && size <= most ? size : undefined
}
