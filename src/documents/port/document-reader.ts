/** The readers of files for all clients, such as the connections of a server. Clients take turns. */
export type DocumentReaders = {
  /** Returns the reader of one client. */
  of(client: string): DocumentReader
  state(): DocumentsState
}

/** `started`: processes that read files. `reading` and `waiting`: files. `ended`: processes that were ended before their file was read. */
export type DocumentsState = {
  started: number
  reading: number
  waiting: number
  ended: Readonly<Record<ReaderEnd, number>>
}

/** Why a process was ended before its file was read. `error`: an error of this program. */
export type ReaderEnd = 'memory' | 'time' | 'called_off' | 'error'

/**
 * Converts files to text in a child process, which is ended if it takes too long or uses too much memory. Rejects with
 * an `UnreadableError` that describes the problem of the file, with the reason of the signal, or with the fault
 * `system_refused` if no process can be started.
 */
export type DocumentReader = {
  /** Reads the text of a file. The memory of `bytes` may be transferred. */
  readText(bytes: Uint8Array, type: DocumentType, signal: AbortSignal): Promise<DocumentText>
  /** Reads a message of RFC 5322 and MIME. The memory of `bytes` may be transferred. */
  readMail(bytes: Uint8Array, signal: AbortSignal, options?: MailOptions): Promise<Mail>
}

/** `odf`: texts, sheets and presentations of OpenDocument. `text`: plain text and source code. */
export const DOCUMENT_TYPES = [
  'pdf',
  'docx',
  'xlsx',
  'pptx',
  'odf',
  'epub',
  'eml',
  'rtf',
  'html',
  'markdown',
  'csv',
  'text'
] as const

export type DocumentType = (typeof DOCUMENT_TYPES)[number]

/** The largest file that is read, in bytes. */
export const FILE_BYTES_MAX = 50 * 1024 * 1024

/** `cut`: the file has more text than is read. */
export type DocumentText = { text: string; title?: string; cut: boolean }

/** Why a document was cut, as half a sentence. */
export const CUT_DOCUMENT = 'only its beginning was read: it exceeds the limit of text, pages, rows or levels'

/** `withFiles`: the attached files are returned too. */
export type MailOptions = { withFiles?: boolean }

export type Mail = {
  subject?: string
  from?: MailAddress
  to: readonly MailAddress[]
  /** `Message-ID`, without angle brackets. */
  messageId?: string
  /** The ids of the messages that it answers, oldest first, without angle brackets. */
  references: readonly string[]
  /** The words of this message, without quotes of earlier ones. */
  text: string
  /** Names of attached files. */
  attachments: readonly string[]
  /** The attached files that `isAttachedFile` accepts, in order, if they were requested. */
  files?: readonly MailFile[]
  /** The events of its calendar objects, as lines of fields. */
  events?: string
  /** The messages that it contains as parts. Those in its text are found by `splitForwarded`. */
  forwarded?: readonly ForwardedMail[]
  /** The zone of its `Date` header, such as `+0100`. */
  offset?: string
  cut: boolean
}

/** A forwarded message. `date` is its time as it was written, and `at` in milliseconds since 1970. */
export type ForwardedMail = Pick<Mail, 'subject' | 'from' | 'to' | 'text'> & { date?: string; at?: number }

export type MailFile = { name: string; type: string; bytes: Uint8Array }

export type MailAddress = { name?: string; address: string }
