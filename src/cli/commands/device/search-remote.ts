import type { SearchOptions } from '../../../device/types.ts'
import type { Context } from '../../context.ts'
import { withSentSnapshot } from '../../transfer/sent-snapshot.ts'
import { withSnapshotObject } from '../../transfer/snapshot-object.ts'
import { answerResponse } from '../../views/response.ts'

/** Has the server search the snapshot, which is sent along whole. */
export async function searchRemote(context: Context, query: string, options: SearchOptions): Promise<void> {
  const { limit, groups, as_of, explain } = options
  const client = await context.client()
  await withSentSnapshot(context, undefined, (path) =>
    withSnapshotObject(context, path, async (snapshot) => {
      const body = {
        snapshot,
        query,
        ...(limit === undefined ? {} : { limit }),
        ...(groups === undefined ? {} : { groups: [...groups] }),
        ...(as_of === undefined ? {} : { as_of }),
        ...(explain === undefined ? {} : { explain })
      }
      const response = await client.searchMemories({ body }, { signal: context.world.terminal.interrupted })
      // Where in a text the words stand is not on the wire.
      await answerResponse(context, { response, placesIn: () => [] }, groups)
    })
  )
}
