import { Fault } from '../../../contract/faults.ts'
import type { RunningServer } from '../../../contract/running-server.ts'
import type { Context } from '../../command/context.ts'
import { chooseServer } from '../../service/choose-server.ts'

/** Prints how to name a server that has just started, if other commands would use another server by default. */
export async function hintServer(context: Context, { origin }: RunningServer): Promise<void> {
  if (findOrigin(context) === origin) return
  await context.diagnostics.hint(
    `to use it in other commands, add --server ${origin}, or make it the default: memctl config set server ${origin}`
  )
}

/**
 * Returns the origin that commands use by default. Returns undefined for invalid settings, which the commands that need
 * them report.
 */
function findOrigin({ settings }: Context): string | undefined {
  try {
    return chooseServer(settings).origin
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
