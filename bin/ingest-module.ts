import type { IngestModule } from '../src/cli/ports/lazy-modules.ts'
import { describeAccount, describeKind } from '../src/ingest/account-report.ts'
import { ingestInto, openConversion } from '../src/ingest/ingest.ts'
import { watchInput } from '../src/ingest/watch-input.ts'
import { withDocuments } from './with-documents.ts'

/** The import of files for the commands. */
export const ingestModule: IngestModule = {
  check: (world, input, options) =>
    withDocuments(world.clock, async (documents) => {
      const conversion = await openConversion({ ...world, documents }, input, options)
      conversion.close()
    }),
  ingest: ({ world, device }, input, options) =>
    withDocuments(world.clock, (documents) => ingestInto({ world: { ...world, documents }, device }, input, options)),
  watch: ({ world, device }, path, { onFault, ...options }) =>
    watchInput(world, {
      path,
      onFault,
      signal: options.signal,
      sweep: (chooseGone) =>
        withDocuments(world.clock, (documents) =>
          ingestInto({ world: { ...world, documents }, device }, { path }, { ...options, chooseGone })
        )
    }),
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
