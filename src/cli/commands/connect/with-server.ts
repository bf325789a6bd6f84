import { Fault } from '../../../contract/faults.ts'
import { ask } from '../../ask.ts'
import type { Context } from '../../context.ts'
import { once } from '../../input/once.ts'
import { chooseServer } from '../../service/choose-server.ts'
import { connect } from '../../service/connect.ts'
import { startDetached } from '../server/detach-server.ts'

/**
 * Does what needs a server. Where none runs on this machine and the address is one of it, a person is asked whether to start one,
 * and with it the work is done again.
 *
 * @throws Fault `unreachable` with the command that starts one, or that leads to the one that runs.
 */
export async function withServer<Value>(context: Context, work: (context: Context) => Promise<Value>): Promise<Value> {
  try {
    return await work(context)
  } catch (error) {
    const start = startCommand(error)
    if (start === undefined || !(error instanceof Fault)) throw error
    if (!context.person || !(await mayStart(context, error, start))) {
      throw new Fault(error.code, error.message, { hint: start, next: [start], cause: error })
    }
    const { port } = new URL(chooseServer(context.settings).address)
    const { origin } = await startDetached(context, { port: port || '80' })
    await context.talk.note(`a server runs at ${origin}; memctl server stop ends it`)
    return await work({ ...context, client: once(() => connect(context)) })
  }
}

/** What starts a server where nothing listens; it was looked at whether one may be started there, and none runs elsewhere here. */
function startCommand(error: unknown): string | undefined {
  const next = error instanceof Fault && error.code === 'unreachable' ? error.next[0] : undefined
  return next?.startsWith('memctl server start') ? `${next} --detach` : undefined
}

function mayStart(context: Context, { message }: Fault, command: string): Promise<boolean> {
  return ask(context, { about: [[message]], text: 'Start a server?', otherwise: true, flag: '--yes', command })
}
