import type { ReadOptions, SeenItem } from '../port/provider.ts'

/**
 * Returns the version of all messages. A message never changes except for its labels
 * (developers.google.com/workspace/gmail/api/guides), so this is the version of the reader and its settings. If it
 * changes, the next full listing makes the sync read all messages again.
 */
export function getMessageVersion({ reads }: Reading): string {
  const { attachmentBytesMax } = reads ?? {}
  return attachmentBytesMax === undefined ? READER_VERSION : `${READER_VERSION} ${attachmentBytesMax}`
}

type Reading = { reads?: ReadOptions }

const READER_VERSION = 'mail-3'

/** Converts a message id to an item of a page. */
export function toSeenMessage(id: string, reading: Reading): SeenItem {
  return { id, version: getMessageVersion(reading) }
}

/** Converts Gmail's time of a message to milliseconds since 1970. */
export function toTime(internalDate: string | undefined): number | undefined {
  return internalDate === undefined ? undefined : Number(internalDate)
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
