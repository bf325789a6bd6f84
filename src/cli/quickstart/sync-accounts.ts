import type { Connection } from '../../contract/connection.ts'
import type { SyncRun } from '../../contract/sync.ts'
import type { Context } from '../context.ts'
import { currentSync, followSyncs } from '../service/sync/follow-syncs.ts'
import { showSyncs } from '../service/sync/show-syncs.ts'
import { syncFault } from '../service/sync/sync-fault.ts'
import { countWords } from '../views/run-list.ts'
import { resultLine, stepLines } from './steps.ts'

/** How long the first syncs are waited for, in milliseconds. */
const SYNC_MS = 5 * 60_000

/**
 * Follows the first syncs of connections, which begin by themselves, to their end.
 *
 * @throws what is wrong with the first that does not come to its end.
 */
export async function syncAccounts(context: Context, connections: readonly Connection[]): Promise<SyncRun[]> {
  const { answer } = context
  const what = 'Sync them. It begins by itself once something is chosen, and then every 4 hours.'
  await answer.story((page) => stepLines(what, 'memctl connections wait --for synced', page))
  const client = await context.client()
  const first = async ({ id }: Connection) =>
    currentSync(id, await client.getSchedule({ params: { connection_id: id } }))
  const followed = await Promise.all(connections.map(first))
  const shown = await showSyncs(context)
  try {
    await followSyncs(context, followed, { waitMs: SYNC_MS, shown })
  } finally {
    shown.stop()
  }
  for (const one of followed) {
    const fault = syncFault(context, one, SYNC_MS)
    if (fault !== undefined) throw fault
  }
  const runs = followed.flatMap(({ run }) => run ?? [])
  await answer.story(() => [...runs.map((run) => resultLine(runWords(run, connections))), []])
  return runs
}

function runWords(run: SyncRun, connections: readonly Connection[]): string {
  const provider = connections.find(({ id }) => id === run.connection_id)?.provider ?? run.connection_id
  return `${provider.padEnd(PROVIDER_COLUMNS)}${countWords(run).join(' · ')}`
}

const PROVIDER_COLUMNS = 13
