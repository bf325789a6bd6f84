/**
 * Turns files into text, away from the thread that asks: in another one that is ended when it takes too long or too much
 * memory. Rejects with a `ProviderFailure` `item_permanent` that says what is wrong with the file.
 */
export type Documents = {
  /** The text of a file of a type that `DOCUMENT_TYPES` names. The memory of `bytes` may be moved away. */
  textOf(bytes: Uint8Array, type: DocumentType, signal: AbortSignal): Promise<DocumentText>
  /** A message of RFC 5322 and MIME. Likewise. */
  mailOf(bytes: Uint8Array, signal: AbortSignal): Promise<Mail>
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
