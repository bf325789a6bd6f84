import { createDocumentHandlers } from '../../src/documents/create-document-handlers.ts'
import type { ThreadMain } from '../../src/ports.ts'

/** What turns files into text, as it is run in a child process. */
export const documentsMain: ThreadMain = () => createDocumentHandlers()
