import { onTestFinished } from 'vitest'
import { localThread } from '../../bin/node/threads/thread-starter.ts'
import { documentsMain } from '../../bin/threads/documents-main.ts'
import { createDocumentReaders } from '../../src/documents/create-document-readers.ts'
import type { DocumentReader, DocumentReaders, DocumentsState } from '../../src/documents/port/document-reader.ts'
import type { Clock, Log, StartThread } from '../../src/ports.ts'

/** A log that keeps nothing. */
const NO_LOG: Log = { error: () => undefined, info: () => undefined, debug: () => undefined }

/** Creates the readers of a server, whose programs run in this process. */
export function localReaders(clock: Clock): DocumentReaders {
  return createDocumentReaders({ startThread: () => localThread(documentsMain, undefined), clock, log: NO_LOG })
}

/** Creates readers over the test's own threads or child processes, which end after the test. */
export function readers(startThread: StartThread, clock: Clock): ReturnType<typeof createDocumentReaders> {
  const made = createDocumentReaders({ startThread, clock, log: NO_LOG })
  onTestFinished(() => made.end())
  return made
}

/** Creates readers that pass every file to the same functions. */
export function readersOf(documents: DocumentReader): DocumentReaders {
  return { of: () => documents, state: () => NO_DOCUMENTS_READ }
}

/** The state of readers that have read nothing. */
export const NO_DOCUMENTS_READ: DocumentsState = {
  started: 0,
  reading: 0,
  waiting: 0,
  ended: { memory: 0, time: 0, called_off: 0, error: 0 }
}
