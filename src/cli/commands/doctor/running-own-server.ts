import { Fault } from '../../../contract/faults.ts'
import type { RunningServer } from '../../../contract/running-server.ts'
import type { Context } from '../../context.ts'
import { dataFolder } from '../server/server-flags.ts'

/**
 * The server that uses the data folder of this machine now; undefined where none does, or where settings that are no good
 * leave open which folder that is: they are told by a check of their own.
 */
export async function runningOwnServer(context: Context): Promise<RunningServer | undefined> {
  const host = await context.rooms.server()
  try {
    const facts = host.facts(await dataFolder(context, host, {}))
    return facts !== undefined && host.isRunning(facts) ? facts : undefined
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
