import { Buffer } from 'node:buffer'
import type { Seed } from '../stand-in.ts'
import { type DriveContent, type DriveNode, emptyContent, FOLDER_TYPE, putNode, SHORTCUT_TYPE } from './content.ts'

const NATIVE = 'application/vnd.google-apps.'
const DAY_MS = 24 * 3600 * 1000
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Fills an account, with ids as the service has them but for `-` and `_`. */
export type AccountSeed = {
  content: DriveContent
  folder(name: string, parent?: DriveNode): DriveNode
  /** A native document, sheet (its text is CSV) or presentation. */
  native(kind: 'document' | 'spreadsheet' | 'presentation' | 'form', name: string, more: SeededFile): DriveNode
  file(mimeType: string, name: string, more: SeededFile): DriveNode
  shortcut(name: string, more: { parent: DriveNode; target: DriveNode }): DriveNode
  sharedDrive(name: string): DriveNode
}

/** Without `parent`: at the top. `'nowhere'`: shared with the account, and not in its tree. */
export type SeededFile = { parent?: DriveNode | 'nowhere'; text?: string; bytes?: Uint8Array; daysAgo?: number }

/** An account with nothing but its top folder, to be filled. */
export function seedAccount(user: DriveContent['user'], { now, random }: Seed): AccountSeed {
  const content = emptyContent(user, newId(random))
  const put = (name: string, mimeType: string, more: SeededFile & { target?: string } = {}): DriveNode => {
    const at = now - Math.round((more.daysAgo ?? 1 + random() * 300) * DAY_MS)
    const parent = more.parent === 'nowhere' ? undefined : (more.parent?.id ?? content.root)
    const driveId = more.parent === 'nowhere' ? undefined : (more.parent?.driveId ?? driveOf(content, parent))
    const bytes = more.bytes ?? Buffer.from(more.text ?? '')
    const place = { ...(parent !== undefined && { parent }), ...(driveId !== undefined && { driveId }) }
    const node = { id: newId(random), name, mimeType, ...place, bytes, ...(more.target && { target: more.target }) }
    return putNode(content, { ...FRESH, ...node, createdAt: at, modifiedAt: at })
  }
  putNode(content, { ...FRESH, id: content.root, name: 'My Drive', mimeType: FOLDER_TYPE, ...timesOf(now) })
  return {
    content,
    folder: (name, parent) => put(name, FOLDER_TYPE, parent === undefined ? {} : { parent }),
    native: (kind, name, more) => put(name, `${NATIVE}${kind}`, more),
    file: (mimeType, name, more) => put(name, mimeType, more),
    shortcut: (name, { parent, target }) => put(name, SHORTCUT_TYPE, { parent, target: target.id }),
    sharedDrive(name) {
      const id = `0A${newId(random).slice(2, 19)}`
      content.drives.set(id, name)
      return putNode(content, { ...FRESH, id, name, mimeType: FOLDER_TYPE, driveId: id, ...timesOf(now) })
    }
  }
}

/** What a new node has. */
export const FRESH = {
  trashed: false,
  version: 1,
  revision: 1,
  bytes: new Uint8Array(),
  downloadable: true,
  abusive: false
}

/** An id of 33 letters and digits, as long as those of the service. */
export function newId(random: () => number): string {
  const letters = Array.from({ length: 32 }, () => LETTERS[Math.floor(random() * LETTERS.length)] ?? 'A')
  return `1${letters.join('')}`
}

function driveOf({ drives }: DriveContent, parent: string | undefined): string | undefined {
  return parent !== undefined && drives.has(parent) ? parent : undefined
}

function timesOf(now: number) {
  return { createdAt: now - 400 * DAY_MS, modifiedAt: now - 400 * DAY_MS }
}
