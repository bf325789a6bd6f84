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

/** The node of a name in an account. */
export function named(account: SandboxAccount, name: string): DriveNode {
  const node = [...getContent(account).nodes.values()].find((one) => one.name === name)
  if (node === undefined) throw new Error(`nothing is called ${name}`)
  return node
}

/** Everything below the selected folders, through shortcuts, with a piece of its text where it is made of text. */
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

/** What is read of it; nothing certain where it is no plain text itself, or the sandbox provider makes something else of it. */
function pieceOf({ mimeType, bytes, name, downloadable, abusive }: DriveNode): string | undefined {
  if (mimeType.startsWith('image/') || mimeType.endsWith('.form') || !downloadable || abusive) return undefined
  if (mimeType in PIECES || name.endsWith('.docx')) return ''
  // What moves cursors and rings bells is left out of texts.
  return Buffer.from(bytes)
    .toString()
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f]/g, '')
    .trim()
}

/** The same, where documents are really read: also what files of the first account hold that are no plain text. */
export function heldAndRead(account: SandboxAccount, selection: readonly string[]): Map<string, string | undefined> {
  const { nodes } = getContent(account)
  const held = heldBy(account, selection)
  for (const [id, piece] of held) held.set(id, PIECES[nodes.get(id)?.mimeType ?? ''] ?? piece)
  return held
}

/** Of the first account. Rows are lines with the names of columns, which also shows that sheets are read as workbooks. */
const PIECES: Readonly<Record<string, string>> = {
  'application/pdf': 'The town of Eastmere wants a library on the old fish quay.',
  'application/vnd.google-apps.spreadsheet': 'item: roof; supplier: Metallbau Feddersen; euro: 188800',
  'text/csv': 'item: roof; supplier: Metallbau Feddersen; euro: 188800',
  'text/html': '## 13 March 2026\n\nStorm from the north-west. Kade & Sons stopped at noon, nobody was hurt.\n\n- Two'
}
