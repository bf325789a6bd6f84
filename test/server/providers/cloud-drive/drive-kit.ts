import { Buffer } from 'node:buffer'
import {
  type DriveNode,
  FOLDER_TYPE,
  getContent,
  isTrashed,
  SHORTCUT_TYPE
} from '../../../../server/sandbox/cloud-drive/content.ts'
import type { SandboxAccount } from '../../../../server/sandbox/core/sandbox-provider.ts'

export const MARA = '06412830957716204411'
export const HOSTILE = '15528804417390265183'

/** Finds a node of an account by its name. */
export function named(account: SandboxAccount, name: string): DriveNode {
  const node = [...getContent(account).nodes.values()].find((one) => one.name === name)
  if (node === undefined) throw new Error(`nothing is called ${name}`)
  return node
}

/** Returns everything below the selected folders, through shortcuts, with a piece of the text if the file is text. */
export function heldBy(account: SandboxAccount, selection: readonly string[]): Map<string, string | undefined> {
  const content = getContent(account)
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

/**
 * Returns a piece of the expected text. It is unknown for a file that is not plain text, or that the sandbox provider
 * converts.
 */
function pieceOf({ mimeType, bytes, name, downloadable, abusive }: DriveNode): string | undefined {
  if (mimeType.startsWith('image/') || mimeType.endsWith('.form') || !downloadable || abusive) return undefined
  if (mimeType in PIECES || name.endsWith('.docx')) return ''
  // Control characters are removed from texts.
  return Buffer.from(bytes)
    .toString()
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f]/g, '')
    .trim()
}

/**
 * Like `heldBy`, for real document readers: also includes texts of the first account's files that are not plain text.
 */
export function heldAndRead(account: SandboxAccount, selection: readonly string[]): Map<string, string | undefined> {
  const { nodes } = getContent(account)
  const held = heldBy(account, selection)
  for (const [id, piece] of held) held.set(id, PIECES[nodes.get(id)?.mimeType ?? ''] ?? piece)
  return held
}

/**
 * The first account's texts by type. Rows are lines with the names of columns, which also shows that sheets are read as
 * workbooks.
 */
const PIECES: Readonly<Record<string, string>> = {
  'application/pdf': 'The town of Eastmere wants a library on the old fish quay.',
  'application/vnd.google-apps.spreadsheet': 'item: roof; supplier: Metallbau Feddersen; euro: 188800',
  'text/csv': 'item: roof; supplier: Metallbau Feddersen; euro: 188800',
  'text/html': '## 13 March 2026\n\nStorm from the north-west. Kade & Sons stopped at noon, nobody was hurt.\n\n- Two'
}
