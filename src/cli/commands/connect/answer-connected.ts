import type { Client } from '../../../client/client.ts'
import type { Connection } from '../../../contract/connection.ts'
import { Fault } from '../../../contract/faults.ts'
import { SELECTION_KEYS } from '../../../contract/selection-keys.ts'
import type { Context } from '../../context.ts'
import { SELECTION_WORDS } from '../../service/selection-options.ts'
import { connectionView } from '../../views/connection-list.ts'

/**
 * The connection that a consent made.
 *
 * @throws Fault `still_pending` where it waits for a selection, with the commands that make one.
 */
export async function answerConnected(context: Context, client: Client, connectionId: string): Promise<void> {
  const connection = await client.getConnection({ params: { connection_id: connectionId } })
  if (connection.status === 'pending') throw selectionNeeded(connection)
  if (context.answer.mode === 'jsonl') return await context.answer.jsonLine({ event: 'connected', connection })
  await context.answer.object(connection, connectionView(connection, context.world.clock.now()))
}

function selectionNeeded({ id, provider }: Connection): Fault {
  const { list, many, flag } = SELECTION_WORDS[SELECTION_KEYS[provider] ?? 'folder_ids']
  const next = [`memctl connections ${list} ${id}`, `memctl connections config ${id} ${flag} ID`]
  return new Fault('still_pending', `connected as ${id}; which ${many} to sync is still to be chosen`, {
    hint: `${next[0]} shows them, then: ${next[1]}`,
    next
  })
}
