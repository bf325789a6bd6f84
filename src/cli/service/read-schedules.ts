import type { Client } from '../../client/client.ts'
import type { Connection } from '../../contract/connection.ts'
import { Fault } from '../../contract/faults.ts'
import type { SyncSchedule } from '../../contract/sync-run.ts'
import type { Context } from '../command/context.ts'
import { shortGuid } from '../output/short-forms.ts'
import { nextCommand } from './next-command.ts'

/** Schedules of connections by their ids. */
export type Schedules = ReadonlyMap<string, SyncSchedule>

/** Schedules that are requested at a time. */
const AT_ONCE_MAX = 4

/**
 * Reads the schedules of the active connections. The interface's list does not say which of them are paused, and its shape
 * stays as it is, so each takes a request: only for output that shows the schedule. One that cannot be read is left out: it never fails the
 * command that has done its work.
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

/** Says on stderr which connections are paused, each with the command that resumes it. */
export async function hintPaused(
  context: Context,
  connections: readonly Connection[],
  schedules: Schedules
): Promise<void> {
  for (const { id, provider } of connections) {
    if (schedules.get(id)?.paused !== true) continue
    const resume = nextCommand(context, `memctl connections resume ${shortGuid(id)}`)
    await context.diagnostics.hint(`${provider} ${shortGuid(id)} is paused: ${resume}`)
  }
}
