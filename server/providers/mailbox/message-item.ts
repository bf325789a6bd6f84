import type { SeenItem } from '../port/provider.ts'

/**
 * A message never changes but for its labels (developers.google.com/workspace/gmail/api/guides), so its version is that of how
 * it is read here: another one has all messages read again.
 */
export const MESSAGE_VERSION = 'mail-2'

/** As a page names it. */
export function toSeenMessage(id: string): SeenItem {
  return { id, version: MESSAGE_VERSION }
}

/** Whether a message with these labels is taken in. */
export function isWanted(labels: readonly string[]): boolean {
  return !labels.some((label) => UNWANTED.has(label))
}

/** System labels (developers.google.com/workspace/gmail/api/guides/labels) of what nobody wrote or kept as mail. */
const UNWANTED: ReadonlySet<string> = new Set(['TRASH', 'SPAM', 'DRAFT', 'CHAT'])
