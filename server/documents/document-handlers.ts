import type { ThreadHandlers } from '../../src/ports.ts'
import type { DocumentText, DocumentType, Mail } from '../providers/documents.ts'
import { ProviderFailure } from '../providers/provider-failure.ts'
import { readMail } from './mail/read-mail.ts'
import { readDocument } from './read-document.ts'

/** What comes back from the thread: failures of files are values, since what is thrown there loses its class. */
export type Outcome = { done: DocumentText | Mail } | { failed: string }

/** What the thread does. */
export function createDocumentHandlers(): ThreadHandlers {
  return {
    text: ({ bytes, type }: { bytes: Uint8Array; type: DocumentType }) => outcomeOf(() => readDocument(bytes, type)),
    mail: ({ bytes }: { bytes: Uint8Array }) => outcomeOf(() => readMail(bytes))
  }
}

async function outcomeOf(read: () => Promise<DocumentText | Mail>): Promise<Outcome> {
  try {
    return { done: await read() }
  } catch (error) {
    if (error instanceof ProviderFailure) return { failed: error.message }
    throw error
  }
}
