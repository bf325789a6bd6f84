import type { SandboxAccount } from '../core/sandbox-provider.ts'

export const FOLDER_TYPE = 'application/vnd.google-apps.folder'
export const SHORTCUT_TYPE = 'application/vnd.google-apps.shortcut'

/** A file, folder or shortcut. Times are in milliseconds since 1970. */
export type DriveNode = {
  id: string
  name: string
  mimeType: string
  /** Absent for an item that was shared with this account and has no place in its drive. */
  parent?: string
  /** The shared drive that contains it. */
  driveId?: string
  trashed: boolean
  createdAt: number
  modifiedAt: number
  version: number
  revision: number
  /** The bytes of a file, or the text of a native document. */
  bytes: Uint8Array
  /** The size of a file whose content is `bytes` repeated. */
  size?: number
  target?: string
  downloadable: boolean
  abusive: boolean
  /** Oldest first. */
  comments?: DriveComment[]
}

/** A comment on a file; its replies have no replies of their own. */
export type DriveComment = {
  id: string
  author: string
  content: string
  createdAt: number
  deleted: boolean
  quoted?: string | undefined
  replies: DriveComment[]
}

/**
 * Everything that an account can see, indexed by parent, with a change log for the account and for each shared drive.
 */
export type DriveContent = {
  user: { id: string; name: string; email: string }
  root: string
  nodes: Map<string, DriveNode>
  children: Map<string, Set<string>>
  drives: Map<string, string>
  logs: Map<string, ChangeLog>
}

/** Ids in the order of their changes. The first has the number `first`. */
export type ChangeLog = { first: number; changed: { id: string; at: number }[] }

/** The log of the account itself. */
export const OWN_LOG = ''
const FIRST_CHANGE = 1001

/** Creates an empty drive of a user. */
export function createContent(user: DriveContent['user'], root: string): DriveContent {
  const content = { user, root, nodes: new Map(), children: new Map(), drives: new Map(), logs: new Map() }
  return content
}

/** Returns the account's `content`, which only this sandbox provider creates. */
export function getContent(account: SandboxAccount): DriveContent {
  return account.content as DriveContent
}

/** Returns the log of a shared drive or of the account, created if there is none. */
export function getLog({ logs }: DriveContent, driveId: string | undefined): ChangeLog {
  const key = driveId ?? OWN_LOG
  const log = logs.get(key) ?? { first: FIRST_CHANGE, changed: [] }
  logs.set(key, log)
  return log
}

/** Adds a node to the drive and to its parent. */
export function putNode(content: DriveContent, node: DriveNode): DriveNode {
  content.nodes.set(node.id, node)
  if (node.parent !== undefined) getChildren(content, node.parent).add(node.id)
  return node
}

/**
 * Removes a node and everything below it. Only the node itself gets a tombstone, which is the strictest reading of
 * Google's documentation.
 */
export function dropNode(content: DriveContent, node: DriveNode): void {
  for (const id of [...getChildren(content, node.id)]) {
    const child = content.nodes.get(id)
    if (child !== undefined) dropNode(content, child)
  }
  content.children.delete(node.id)
  content.nodes.delete(node.id)
  if (node.parent !== undefined) getChildren(content, node.parent).delete(node.id)
}

/**
 * Moves a node to another parent. Without a parent, the node is shared with the account and has no place in its drive.
 */
export function moveNode(content: DriveContent, node: DriveNode, parent: string | undefined): void {
  if (node.parent !== undefined) getChildren(content, node.parent).delete(node.id)
  if (parent === undefined) {
    delete node.parent
    return
  }
  node.parent = parent
  getChildren(content, parent).add(node.id)
}

/** Records a change of a node. Its content gets a new revision only if `edited`. */
export function noteChange(
  content: DriveContent,
  node: DriveNode,
  { at, edited }: { at: number; edited: boolean }
): void {
  node.version += 1
  if (edited) {
    node.revision += 1
    node.modifiedAt = at
  }
  getLog(content, node.driveId).changed.push({ id: node.id, at })
}

/** Reports whether a node, or a folder above it, is in the trash. */
export function isTrashed({ nodes }: DriveContent, node: DriveNode): boolean {
  for (let one: DriveNode | undefined = node; one !== undefined; one = nodes.get(one.parent ?? ''))
    if (one.trashed) return true
  return false
}

/** Returns the ids of a folder's children, as a mutable set. */
export function getChildren({ children }: DriveContent, id: string): Set<string> {
  const found = children.get(id) ?? new Set()
  children.set(id, found)
  return found
}
