import { readText } from '../../../client/read-text.ts'
import { toUnreachableFault } from '../../../client/to-unreachable-fault.ts'
import { Fault } from '../../../contract/faults.ts'
import type { Context } from '../../command/context.ts'
import { chooseServer } from '../../service/choose-server.ts'
import { makeOwnServerHint } from '../../service/find-own-server.ts'
import { type CheckResult, ok, problem } from './check.ts'

/** Whether a server of memctl answers where settings say, and is ready. Sends no key. */
export async function checkReachable(context: Context): Promise<CheckResult> {
  const health = await askServer(context, '/healthz')
  if ('seen' in health) return (await elsewhere(context)) ?? health.seen
  const { address } = chooseServer(context.settings)
  const { status, location, text } = health
  if (location !== undefined)
    return problem(`${address} leads on to ${location}, and no key follows`, `give that address: --server ${location}`)
  if (status >= 500)
    return problem(
      `${address} answers with ${status}: what stands there reaches no server`,
      'start the server behind it'
    )
  if (!isHealthOfMemctl({ status, text }))
    return problem(`what answers at ${address} is no server of memctl`, 'check host, port and path of the address')
  const ready = await askServer(context, '/readyz')
  if ('seen' in ready) return ready.seen
  if (ready.status === 200) return ok('answers, and is ready')
  return problem('answers, and is not ready: it is stopping, or lacks its storage', 'memctl server logs')
}

/** Where the server of this machine is, when nothing answers where settings say. */
async function elsewhere(context: Context): Promise<CheckResult | undefined> {
  const server = chooseServer(context.settings)
  const own = await makeOwnServerHint(context, server)
  return own && problem(`no answer from ${server.address}; ${own.message}`, own.hint)
}

/** Whether it is what `/healthz` of a memctl server says. */
export function isHealthOfMemctl({ status, text }: Pick<Reply, 'status' | 'text'>): boolean {
  return status === 200 && /^\s*\{\s*"status"/.test(text)
}

type Reply = { status: number; location: string | undefined; date: string | undefined; text: string }

/** What a path that needs no key says, of the server that settings name or of the one at an address; or why there is no answer. */
export async function askServer(
  context: Context,
  path: string,
  address = chooseServer(context.settings).address
): Promise<Reply | { seen: CheckResult }> {
  const request = new Request(`${address.replace(/\/+$/, '')}${path}`, { redirect: 'manual' })
  try {
    const response = await context.world.fetch(request)
    const { status, headers } = response
    const isOnward = status >= 300 && status < 400
    return {
      status,
      location: isOnward ? (onward(headers.get('location'), request.url) ?? 'nowhere') : undefined,
      date: headers.get('date') ?? undefined,
      text: await readText(response, ANSWER_BYTES_MAX)
    }
  } catch (error) {
    const fault = toUnreachableFault(error, address)
    if (fault instanceof Fault) return { seen: problem(fault.message, fault.hint) }
    throw error
  }
}

/** The document of the whole interface is far below. In bytes; a whole number of MiB. */
const ANSWER_BYTES_MAX = 4 << 20

/** The origin that a redirect leads to: the rest of it may have something that is nobody's business. */
function onward(location: string | null, from: string): string | undefined {
  return location !== null && URL.canParse(location, from) ? new URL(location, from).origin : undefined
}
