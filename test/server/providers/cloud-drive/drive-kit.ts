import { Buffer } from 'node:buffer'
import {
  contentOf,
  type DriveNode,
  FOLDER_TYPE,
  isTrashed,
  SHORTCUT_TYPE
} from '../../../../server/sandbox/cloud-drive/content.ts'
import type { StandInAccount } from '../../../../server/sandbox/stand-in.ts'

export const MARA = '06412830957716204411'
export const HOSTILE = '15528804417390265183'

/** The node of a name in an account. */
export function named(account: StandInAccount, name: string): DriveNode {
  const node = [...contentOf(account).nodes.values()].find((one) => one.name === name)
  if (node === undefined) throw new Error(`nothing is called ${name}`)
  return node
}

/** Everything below the selected folders, through shortcuts, with a piece of its text where it is made of text. */
export function heldBy(account: StandInAccount, selection: readonly string[]): Map<string, string | undefined> {
  const content = contentOf(account)
  const held = new Map<string, string | undefined>()
  const visited = new Set<string>()
  const waiting = [...selection]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const node = content.nodes.get(id)
    if (node === undefined || visited.has(id) || isTrashed(content, node)) continue
    visited.add(id)
    if (node.mimeType === SHORTCUT_TYPE) waiting.push(node.target ?? '')
    else if (node.mimeType === FOLDER_TYPE) waiting.push(...(content.children.get(id) ?? []))
    else held.set(id, pieceOf(node))
  }
  return held
}

/** Files that are not text themselves are made of it by the stand-in: what they hold is for tests of documents. */
function pieceOf({ mimeType, bytes, downloadable, abusive }: DriveNode): string | undefined {
  if (mimeType.startsWith('image/') || mimeType.endsWith('.form') || !downloadable || abusive) return undefined
  const isText = mimeType.startsWith('text/') || /\.(document|presentation)$/.test(mimeType)
  return isText && mimeType !== 'text/html' && mimeType !== 'text/csv' ? Buffer.from(bytes).toString().trim() : ''
}
