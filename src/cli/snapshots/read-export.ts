import { readChunks } from '../../client/read-text.ts'
import { Fault } from '../../contract/faults.ts'
import type { Context } from '../command/context.ts'

/** The lines of a collection's export as they come. Asks when the first of them is wanted. */
export async function* readExport(
  context: Context,
  collectionId: string,
  { skipsDamaged }: { skipsDamaged: boolean }
): AsyncGenerator<Uint8Array> {
  const client = await context.client()
  const signal = context.world.terminal.interrupted
  const input = { body: { collection_id: collectionId, ...(skipsDamaged && { skip_damaged: true }) } }
  const response = await client.stream('exportSnapshot', input, { accept: LINES_TYPE, signal })
  const type = response.headers.get('content-type') ?? 'nothing'
  if (!type.startsWith(LINES_TYPE)) {
    await response.body?.cancel()
    throw new Fault('broken_transfer', `lines were asked for, and the server sends ${type}`, {
      hint: 'check that the address is that of a memctl server, of this version'
    })
  }
  yield* readChunks(response)
}

const LINES_TYPE = 'application/jsonl'
