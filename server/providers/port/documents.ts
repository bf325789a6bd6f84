/** What turns files into text, for all connections. They take turns. */
export type DocumentReaders = {
  /** What turns those of one connection into text. */
  of(connectionId: string): Documents
  state(): DocumentsState
}

/** `started`: processes that read files. `reading` and `waiting`: files. `ended`: processes that were ended before their file was read. */
export type DocumentsState = {
  started: number
  reading: number
  waiting: number
  ended: Readonly<Record<ReaderEnd, number>>
}

/** Why a process was ended before its file was read. `error`: one of ours. */
export type ReaderEnd = 'memory' | 'time' | 'called_off' | 'error'

/**
 * Turns files into text, away from the process that asks: in another one that is ended when it takes too long or too much
 * memory. Rejects with a `ProviderFailure` `item_permanent` that says what is wrong with the file.
 */
export type Documents = {
  /** The text of a file of a type that `DOCUMENT_TYPES` names. The memory of `bytes` may be moved away. */
  readText(bytes: Uint8Array, type: DocumentType, signal: AbortSignal): Promise<DocumentText>
  /** A message of RFC 5322 and MIME. Likewise. */
  readMail(bytes: Uint8Array, signal: AbortSignal): Promise<Mail>
}

export const DOCUMENT_TYPES = ['pdf', 'docx', 'xlsx', 'html', 'markdown', 'csv', 'text'] as const

export type DocumentType = (typeof DOCUMENT_TYPES)[number]

/** `cut`: there was more text than is taken. */
export type DocumentText = { text: string; title?: string; cut: boolean }

export type Mail = {
  subject?: string
  from?: MailAddress
  to: readonly MailAddress[]
  /** `Message-ID`, and those it answers to, oldest first, without angle brackets. */
  messageId?: string
  references: readonly string[]
  /** What was written in this message: quotes of earlier ones folded away. */
  text: string
  /** Names of files that came with it. */
  attachments: readonly string[]
  cut: boolean
}

export type MailAddress = { name?: string; address: string }
