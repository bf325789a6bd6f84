import type { Client } from '../../../client/client.ts'
import type { Connection } from '../../../contract/connection.ts'
import { Fault } from '../../../contract/faults.ts'
import { SELECTION_KEYS } from '../../../contract/selection-keys.ts'
import type { Context } from '../../context.ts'
import { SELECTION_WORDS } from '../../service/selection-options.ts'
import { awaitSyncs } from '../../service/sync/await-syncs.ts'
import { currentSync } from '../../service/sync/follow-syncs.ts'
import { connectionView } from '../../views/connection-list.ts'

/**
 * The connection that a consent made; with `syncWaitMs` after its first sync, which is waited for so long.
 *
 * @throws Fault `still_pending` where it waits for a selection, with the commands that make one; what is wrong with the sync.
 */
export async function answerConnected(
  context: Context,
  client: Client,
  { connectionId, syncWaitMs }: { connectionId: string; syncWaitMs: number | undefined }
): Promise<void> {
  const { answer, world } = context
  const params = { connection_id: connectionId }
  const connection = await client.getConnection({ params })
  if (connection.status === 'pending') throw selectionNeeded(connection)
  if (answer.mode === 'jsonl') await answer.jsonLine({ event: 'connected', connection })
  const faults = syncWaitMs === undefined ? [] : await awaitFirstSync(context, client, { connectionId, syncWaitMs })
  const now = syncWaitMs === undefined ? connection : await client.getConnection({ params })
  if (answer.mode !== 'jsonl') await answer.object(now, connectionView(now, world.clock.now()))
  else if (syncWaitMs !== undefined) await answer.jsonLine({ event: 'done', connection: now })
  for (const fault of faults) throw fault
}

/** The sync that is under way, or that comes; one that ended already is not waited for again. */
async function awaitFirstSync(
  context: Context,
  client: Client,
  { connectionId, syncWaitMs }: { connectionId: string; syncWaitMs: number }
): Promise<Fault[]> {
  const schedule = await client.getSchedule({ params: { connection_id: connectionId } })
  const first = currentSync(connectionId, schedule)
  return await awaitSyncs(context, [first], { waitMs: syncWaitMs, failOnWarning: false })
}

function selectionNeeded({ id, provider }: Connection): Fault {
  const { list, many, flag } = SELECTION_WORDS[SELECTION_KEYS[provider] ?? 'folder_ids']
  const next = [`memctl connections ${list} ${id}`, `memctl connections config ${id} ${flag} ID`]
  return new Fault('still_pending', `connected as ${id}; which ${many} to sync is still to be chosen`, {
    hint: `${next[0]} shows them, then: ${next[1]}`,
    next
  })
}
