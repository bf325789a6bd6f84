import { createDocumentReaders } from '../src/documents/create-document-readers.ts'
import type { DocumentReader } from '../src/documents/port/document-reader.ts'
import type { Clock } from '../src/ports.ts'
import { type ThreadMains, threadStarter } from './node/threads/thread-starter.ts'

/**
 * Opens a reader of documents, whose child process is started by the first file that needs it. It must be ended.
 */
export function openDocuments(clock: Clock): { documents: DocumentReader; end(): Promise<void> } {
  const readers = createDocumentReaders({
    startThread: threadStarter(THREADS),
    clock,
    log: { error: () => undefined }
  })
  return { documents: readers.of('ingest'), end: () => readers.end() }
}

/** Runs work with a reader of documents, and ends the reader. */
export async function withDocuments<Value>(
  clock: Clock,
  work: (documents: DocumentReader) => Promise<Value>
): Promise<Value> {
  const { documents, end } = openDocuments(clock)
  try {
    return await work(documents)
  } finally {
    await end()
  }
}

/** The program that reads documents, when the command runs from source. The others are not started. */
const THREADS: Pick<ThreadMains, 'documents'> = {
  documents: async () => (await import('./threads/documents-main.ts')).documentsMain
}
