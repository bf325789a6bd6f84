import type { TextItem } from '../chunking/draft-memories.ts'
import type { DocumentText } from '../port/document-reader.ts'
import { isTime } from './to-mail-parts.ts'

/** A part of a message: its file name, its type, and whether the text of the message may show it. */
type FilePart = { name: string; type: string; isInline: boolean }

/**
 * Reports whether a part of a message is an attached file that is read by itself. Pictures within the text belong to
 * the text, and so does a calendar object.
 */
export function isAttachedFile({ name, type, isInline }: FilePart): boolean {
  if (name.trim() === '' || isCalendar({ name, type })) return false
  return !(isInline && /^image\//i.test(type))
}

/** Reports whether a part is a calendar object (RFC 5545). */
export function isCalendar({ name, type }: Pick<FilePart, 'name' | 'type'>): boolean {
  return /^(text\/calendar|application\/ics)$/i.test(type) || /\.ics$/i.test(name.trim())
}

/** At most this many files of a message are read. */
export const ATTACHED_FILES_MAX = 20

export const TOO_MANY_FILES = `only the first ${ATTACHED_FILES_MAX} attachments of a mail are read`

/** The message of an attached file. `conversation` is its thread, `at` its time in milliseconds since 1970. */
type FileOrigin = { conversation: string; at: number | undefined; subject: string | undefined }

const NAME_UNITS_MAX = 200

/**
 * Converts an attached file to an item that names its mail: a document of the thread, with the time of the mail.
 * Connectors and imports share it, so that both give a file the same memory ids. A file that is sent again in the
 * thread has the same ids.
 */
export function toFileItem(
  file: { id: string; name: string; url?: string | undefined },
  { text }: Pick<DocumentText, 'text'>,
  { conversation, at, subject }: FileOrigin
): TextItem {
  const name = file.name.replace(/\s+/g, ' ').trim().slice(0, NAME_UNITS_MAX).toWellFormed()
  const about = subject?.trim()
  return {
    id: file.id,
    title: about ? `${name}, attached to "${about}"` : `${name}, attached to a mail`,
    ...(file.url !== undefined && { url: file.url }),
    parts: [{ text, conversation: `${conversation}/${name}`, ...(at !== undefined && isTime(at) && { at }) }]
  }
}
