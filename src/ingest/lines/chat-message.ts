import { createHash } from 'node:crypto'
import type { Metadata } from '../../contract/snapshot.ts'
import { formatTime } from '../../memory/parse-iso-time.ts'
import { type FileTree, TreeError, type TreeFile } from '../port/file-tree.ts'
import type { Given, Item } from '../port/format.ts'
import { findSkipReason, type ItemKind } from '../port/losses.ts'
import { toLines } from './to-lines.ts'

/** A message of a chat. */
export type ChatMessage = {
  format: string
  path: string
  /** The native ids of the conversation and of the message. */
  conversation: string
  id: string
  title?: string | undefined
  url?: string | undefined
  speaker: string
  /** Milliseconds since 1970; undefined if unknown. */
  at: number | undefined
  /** Set if the message can be edited: its native id, and when it was last edited, likewise. */
  replaces?: string | undefined
  editedAt?: number | undefined
  /** Its place in the conversation. */
  position: number
  text: string
  more?: Metadata
}

/** Converts a message to an item, which is left out if it has no text. */
export function toMessageItem(message: ChatMessage, kind: ItemKind = 'message'): Item {
  const { format, path, conversation, id, title, url, speaker, at, replaces, position, more } = message
  const text = message.text.trim()
  const part = { text, speaker, conversation, position, ...(at !== undefined && { at }) }
  const item = { id: conversation, ...(title && { title }), ...(url && { url }), parts: [part] }
  const lines = toLines(item, { format, id, path, ...(more && { more }) })
  if (lines.length === 0) return { kind, path: id, leftOut: 'empty' }
  return { kind, path: id, lines, ...(replaces && { replaces, ...toEdited(message.editedAt) }) }
}

/** Returns when a text was edited, for its item. */
export function toEdited(ms: number | undefined): { edited?: string } {
  const edited = ms === undefined ? undefined : formatTime(ms)
  return edited === undefined ? {} : { edited }
}

/** Converts Unix seconds to milliseconds; undefined for any other value. */
export function readSeconds(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? Math.round(value * 1000) : undefined
}

/** Parses an ISO 8601 time; undefined for any other value. */
export function readTime(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

/** Returns an id for something without one, which depends on its content only. */
export function computeNativeId(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}

/** Counts messages by their native ids, so that one that several files contain is taken once. */
export function createSeenIds(): (conversation: string, id: string) => boolean {
  const seen = new Set<string>()
  return (conversation, id) => {
    const key = `${conversation} ${id}`
    if (seen.has(key)) return true
    seen.add(key)
    return false
  }
}

/**
 * Yields the items of each file of an input that `convert` takes, and one item for each other file.
 *
 * @throws the reason of the signal once it is aborted.
 */
export async function* takeFiles(
  tree: FileTree,
  { signal }: Pick<Given, 'signal'>,
  convert: (file: TreeFile) => AsyncIterable<Item> | undefined
): AsyncGenerator<Item> {
  for (const file of tree.files) {
    signal.throwIfAborted()
    const items = convert(file)
    if (items === undefined) yield toOtherFile(file)
    else yield* takeFile(file, items)
  }
}

/** Recognises `conversations.json`, or one of several of a large export, or the only file of an input. */
export function isConversations(tree: FileTree, { path }: TreeFile): boolean {
  return /(^|\/)conversations[^/]*\.json$/i.test(path) || (tree.files.length === 1 && /json$/i.test(path))
}

/** Reads items from a file, and reports it as left out if it cannot be read. */
export async function* takeFile(file: TreeFile, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items
  } catch (error) {
    if (!(error instanceof TreeError)) throw error
    yield { kind: 'file', path: file.path, leftOut: error.reason }
  }
}

/** Returns the item of a file that a chat format does not read. Data of the account are settings. */
export function toOtherFile({ path }: TreeFile): Item {
  const reason = /\.(json|jsonl|html)$/i.test(path) ? 'settings' : findSkipReason(path)
  return { kind: 'file', path, leftOut: reason }
}
