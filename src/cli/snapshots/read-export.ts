import { readChunks } from '../../client/read-text.ts'
import { Fault } from '../../contract/faults.ts'
import type { Context } from '../command/context.ts'

/** With `after`, only lines that are newer than this sequence number of an epoch are sent, and the header has the newest one. */
type ExportAsked = { skipsDamaged: boolean; after?: number | undefined; epoch?: string | undefined }

/** Yields the export of a collection in chunks. Sends the request when the first chunk is read. */
export async function* readExport(
  context: Context,
  collectionId: string,
  { skipsDamaged, after, epoch }: ExportAsked
): AsyncGenerator<Uint8Array> {
  const client = await context.client()
  const signal = context.world.terminal.interrupted
  const body = {
    collection_id: collectionId,
    ...(skipsDamaged && { skip_damaged: true }),
    ...(after !== undefined && { after }),
    ...(epoch !== undefined && { epoch })
  }
  const input = { body }
  const response = await client.stream('exportSnapshot', input, { accept: LINES_TYPE, signal })
  const type = response.headers.get('content-type') ?? 'nothing'
  if (!type.startsWith(LINES_TYPE)) {
    await response.body?.cancel()
    throw new Fault(
      'broken_transfer',
      `unexpected content type of the export: expected ${LINES_TYPE}, received ${type}`,
      {
        hint: 'check that the address is that of a memctl server with the same version'
      }
    )
  }
  yield* readChunks(response)
}

const LINES_TYPE = 'application/jsonl'
