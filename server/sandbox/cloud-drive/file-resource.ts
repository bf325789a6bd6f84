import { createHash } from 'node:crypto'
import { checksumsOf } from './checksums.ts'
import { type DriveContent, type DriveNode, FOLDER_TYPE, isTrashed, SHORTCUT_TYPE } from './content.ts'

const NATIVE = 'application/vnd.google-apps.'

/** A node as the `File` of the discovery document, with all members that the stand-in knows. */
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
    ...checksumsOf(node),
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
