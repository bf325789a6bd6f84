import type { SandboxAccount } from '../core/sandbox-provider.ts'

export const FOLDER_TYPE = 'application/vnd.google-apps.folder'
export const SHORTCUT_TYPE = 'application/vnd.google-apps.shortcut'

/** A file, folder or shortcut. Times in milliseconds since 1970. */
export type DriveNode = {
  id: string
  name: string
  mimeType: string
  /** Absent of what was shared with this account and has no place in it. */
  parent?: string
  /** The shared drive it is in. */
  driveId?: string
  trashed: boolean
  createdAt: number
  modifiedAt: number
  version: number
  revision: number
  /** What a file has, or what a native document says. */
  bytes: Uint8Array
  /** How many bytes it has, where `bytes` are only what is said again and again. */
  size?: number
  target?: string
  downloadable: boolean
  abusive: boolean
}

/** All that an account sees, indexed by parent, with a log of what changed for the account and for each shared drive. */
export type DriveContent = {
  user: { id: string; name: string; email: string }
  root: string
  nodes: Map<string, DriveNode>
  children: Map<string, Set<string>>
  drives: Map<string, string>
  logs: Map<string, ChangeLog>
}

/** Ids in the order in which they changed; the first has the number `first`. */
export type ChangeLog = { first: number; changed: { id: string; at: number }[] }

/** The log of the account itself. */
export const OWN_LOG = ''
const FIRST_CHANGE = 1001

/** A drive with nothing in it but what its account is called. */
export function createContent(user: DriveContent['user'], root: string): DriveContent {
  const content = { user, root, nodes: new Map(), children: new Map(), drives: new Map(), logs: new Map() }
  return content
}

/** What the account's `content` is, which only this sandbox provider makes. */
export function getContent(account: SandboxAccount): DriveContent {
  return account.content as DriveContent
}

/** The log of a shared drive, or that of the account; begun where there is none. */
export function getLog({ logs }: DriveContent, driveId: string | undefined): ChangeLog {
  const key = driveId ?? OWN_LOG
  const log = logs.get(key) ?? { first: FIRST_CHANGE, changed: [] }
  logs.set(key, log)
  return log
}

/** Adds a node, whose parent knows it from then on. */
export function putNode(content: DriveContent, node: DriveNode): DriveNode {
  content.nodes.set(node.id, node)
  if (node.parent !== undefined) getChildren(content, node.parent).add(node.id)
  return node
}

/** Takes a node out with all below it. Only the node itself gets a tombstone: the strictest reading of what Google says. */
export function dropNode(content: DriveContent, node: DriveNode): void {
  for (const id of [...getChildren(content, node.id)]) {
    const child = content.nodes.get(id)
    if (child !== undefined) dropNode(content, child)
  }
  content.children.delete(node.id)
  content.nodes.delete(node.id)
  if (node.parent !== undefined) getChildren(content, node.parent).delete(node.id)
}

/** Gives a node another parent, or none: then it is shared with the account and nowhere in its tree. */
export function moveNode(content: DriveContent, node: DriveNode, parent: string | undefined): void {
  if (node.parent !== undefined) getChildren(content, node.parent).delete(node.id)
  if (parent === undefined) {
    delete node.parent
    return
  }
  node.parent = parent
  getChildren(content, parent).add(node.id)
}

/** Notes that a node changed. Its content is another revision only where `edited`. */
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

/** It was put into the trash, or a folder above it was. */
export function isTrashed({ nodes }: DriveContent, node: DriveNode): boolean {
  for (let one: DriveNode | undefined = node; one !== undefined; one = nodes.get(one.parent ?? ''))
    if (one.trashed) return true
  return false
}

/** Ids of what stands in a folder, as a set that may be changed. */
export function getChildren({ children }: DriveContent, id: string): Set<string> {
  const found = children.get(id) ?? new Set()
  children.set(id, found)
  return found
}
