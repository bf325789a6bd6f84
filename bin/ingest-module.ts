import type { IngestModule } from '../src/cli/ports/lazy-modules.ts'
import { createDocumentReaders } from '../src/documents/create-document-readers.ts'
import type { DocumentReader } from '../src/documents/port/document-reader.ts'
import { describeAccount, describeKind } from '../src/ingest/account.ts'
import { ingestInto, openConversion } from '../src/ingest/ingest.ts'
import type { Clock } from '../src/ports.ts'
import { type ThreadMains, threadStarter } from './node/threads/thread-starter.ts'

/** The import of files for the commands. */
export const ingestModule: IngestModule = {
  check: (world, input, options) =>
    withDocuments(world.clock, async (documents) => {
      const conversion = await openConversion({ ...world, documents }, input, options)
      conversion.close()
    }),
  ingest: ({ world, device }, input, options) =>
    withDocuments(world.clock, (documents) => ingestInto({ world: { ...world, documents }, device }, input, options)),
  convert: (world, input, { write, ...options }) =>
    withDocuments(world.clock, async (documents) => {
      const conversion = await openConversion({ ...world, documents }, input, options)
      try {
        for await (const chunk of conversion.chunks()) {
          await write(chunk)
          options.onProgress?.(conversion.progress(0))
        }
        return conversion.report()
      } finally {
        conversion.close()
      }
    }),
  describe: describeAccount,
  describeKind
}

/** The program that reads documents, when the command runs from source. The others are not started. */
const THREADS: Pick<ThreadMains, 'documents'> = {
  documents: async () => (await import('./threads/documents-main.ts')).documentsMain
}

/** Runs work with a reader of documents, whose child process is started by the first file that needs it. */
async function withDocuments<Value>(clock: Clock, work: (documents: DocumentReader) => Promise<Value>): Promise<Value> {
  const readers = createDocumentReaders({
    startThread: threadStarter(THREADS),
    clock,
    log: { error: () => undefined }
  })
  try {
    return await work(readers.of('ingest'))
  } finally {
    await readers.end()
  }
}
