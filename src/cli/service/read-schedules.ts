import type { Client } from '../../client/client.ts'
import type { Connection } from '../../contract/connection.ts'
import { Fault } from '../../contract/faults.ts'
import type { SyncSchedule } from '../../contract/sync-run.ts'
import type { Context } from '../command/context.ts'
import { shortGuids } from '../output/short-forms.ts'
import { nextCommand } from './next-command.ts'

/** Schedules by connection id. */
export type Schedules = ReadonlyMap<string, SyncSchedule>

/** Number of concurrent requests. */
const AT_ONCE_MAX = 4

/**
 * Reads the schedules of the active connections, with one request each, because the list of connections does not tell which are
 * paused. Omits schedules that cannot be read, so that the command does not fail after its work is done.
 */
export async function readSchedules(client: Client, connections: readonly Connection[]): Promise<Schedules> {
  const schedules = new Map<string, SyncSchedule>()
  const waiting = connections.filter(({ status }) => status === 'active').map(({ id }) => id)
  const readNext = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const schedule = await readSchedule(client, id)
      if (schedule !== undefined) schedules.set(id, schedule)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE_MAX }, readNext))
  return schedules
}

async function readSchedule(client: Client, id: string): Promise<SyncSchedule | undefined> {
  try {
    return await client.getSchedule({ params: { connection_id: id } })
  } catch (error) {
    if (!(error instanceof Fault) || error.code === 'cancelled' || error.code === 'terminated') throw error
    return undefined
  }
}

/** Shows paused connections on stderr, with the command that resumes each. */
export async function hintPaused(
  context: Context,
  connections: readonly Connection[],
  schedules: Schedules
): Promise<void> {
  const shorten = shortGuids(connections)
  for (const { id, provider } of connections) {
    if (schedules.get(id)?.paused !== true) continue
    const resume = nextCommand(context, `memctl connections resume ${shorten(id)}`)
    await context.diagnostics.hint(`${provider} ${shorten(id)} is paused; to resume: ${resume}`)
  }
}
