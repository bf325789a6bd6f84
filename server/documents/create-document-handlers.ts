import type { ThreadHandlers } from '../../src/ports.ts'
import type { DocumentText, DocumentType, Mail } from '../providers/port/documents.ts'
import { ProviderFailure } from '../providers/port/provider-failure.ts'
import { readDocument } from './formats/read-document.ts'
import { readMail } from './mail/read-mail.ts'

/** What the thread returns. The failure of a file is a value, since an error loses its class between threads. */
export type ReadOutcome = { done: DocumentText | Mail } | { failed: string }

/** Creates the functions that the thread offers. */
export function createDocumentHandlers(): ThreadHandlers {
  return {
    text: ({ bytes, type }: { bytes: Uint8Array; type: DocumentType }) => toOutcome(() => readDocument(bytes, type)),
    mail: ({ bytes }: { bytes: Uint8Array }) => toOutcome(() => readMail(bytes))
  }
}

async function toOutcome(read: () => Promise<DocumentText | Mail>): Promise<ReadOutcome> {
  try {
    return { done: await read() }
  } catch (error) {
    if (error instanceof ProviderFailure) return { failed: error.message }
    throw error
  }
}
