import { Fault } from '../../../contract/faults.ts'
import type { RunningServer } from '../../../contract/running-server.ts'
import type { Context } from '../../command/context.ts'
import { chooseServer } from '../../service/choose-server.ts'

/** Says how to name a server that has just started, where the other commands would ask another one. */
export async function hintServer(context: Context, { origin }: RunningServer): Promise<void> {
  if (findOrigin(context) === origin) return
  await context.diagnostics.hint(
    `other commands ask it with --server ${origin}, or from now on: memctl config set server ${origin}`
  )
}

/** Settings that are wrong lead to no server, and are for the command to tell that needs them. */
function findOrigin({ settings }: Context): string | undefined {
  try {
    return chooseServer(settings).origin
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
