import { createDocumentHandlers } from '../../src/documents/create-document-handlers.ts'
import type { ThreadMain } from '../../src/ports.ts'

/** The main function of the child process that extracts text from files. */
export const documentsMain: ThreadMain = () => createDocumentHandlers()
