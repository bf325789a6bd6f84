import type { SeenItem } from '../port/provider.ts'

/**
 * The version of all messages. A message never changes except for its labels
 * (developers.google.com/workspace/gmail/api/guides), so this is the version of the reader. Changing it makes the sync
 * read all messages again.
 */
export const MESSAGE_VERSION = 'mail-2'

/** Converts a message id to an item of a page. */
export function toSeenMessage(id: string): SeenItem {
  return { id, version: MESSAGE_VERSION }
}

/** Reports whether a message with these labels is synced. */
export function isWanted(labels: readonly string[]): boolean {
  return !labels.some((label) => UNWANTED.has(label))
}

/**
 * System labels (developers.google.com/workspace/gmail/api/guides/labels) of messages that are not mail or were
 * discarded.
 */
const UNWANTED: ReadonlySet<string> = new Set(['TRASH', 'SPAM', 'DRAFT', 'CHAT'])
