import type { ThreadHandlers } from '../ports.ts'
import { readMail } from './mail/read-mail.ts'
import type { DocumentText, DocumentType, Mail, MailOptions } from './port/document-reader.ts'
import { UnreadableError } from './port/unreadable-error.ts'
import { readDocument } from './read-document.ts'

/** The result of the child process. An unreadable file is a value, since an error loses its class between processes. */
export type ReadOutcome = { done: DocumentText | Mail } | { failed: string }

/** Creates the functions that the child process offers. */
export function createDocumentHandlers(): ThreadHandlers {
  return {
    text: ({ bytes, type }: { bytes: Uint8Array; type: DocumentType }) => toOutcome(() => readDocument(bytes, type)),
    mail: ({ bytes, options }: { bytes: Uint8Array; options?: MailOptions }) =>
      toOutcome(() => readMail(bytes, undefined, options))
  }
}

async function toOutcome(read: () => Promise<DocumentText | Mail>): Promise<ReadOutcome> {
  try {
    return { done: await read() }
  } catch (error) {
    if (error instanceof UnreadableError) return { failed: error.message }
    throw error
  }
}
