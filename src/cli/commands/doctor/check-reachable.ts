import { readText } from '../../../client/read-text.ts'
import { toUnreachableFault } from '../../../client/to-unreachable-fault.ts'
import { Fault } from '../../../contract/faults.ts'
import type { Context } from '../../command/context.ts'
import { chooseServer } from '../../service/choose-server.ts'
import { makeOwnServerHint } from '../../service/find-own-server.ts'
import { type CheckResult, ok, problem } from './check.ts'

/** Checks that a memctl server answers at the configured address and is ready. Sends no key. */
export async function checkReachable(context: Context): Promise<CheckResult> {
  const health = await askServer(context, '/healthz')
  if ('seen' in health) return (await elsewhere(context)) ?? health.seen
  const { address } = chooseServer(context.settings)
  const { status, location, text } = health
  if (location !== undefined)
    return problem(
      `${address} redirects to ${location}, and keys are not sent to another address`,
      `use that address: --server ${location}`
    )
  if (status >= 500)
    return problem(
      `${address} answers with ${status}: the proxy there cannot reach a server`,
      'start the server behind the proxy: memctl server start'
    )
  if (!isHealthOfMemctl({ status, text }))
    return problem(
      `expected a memctl server at ${address}, received another response`,
      'check the host, port and path of the address'
    )
  const ready = await askServer(context, '/readyz')
  if ('seen' in ready) return ready.seen
  if (ready.status === 200) return ok('ready')
  return problem(
    'the server answers but is not ready: it is stopping, or cannot reach its storage',
    'memctl server logs'
  )
}

/** Reports the address of the server on this machine when nothing answers at the configured address. */
async function elsewhere(context: Context): Promise<CheckResult | undefined> {
  const server = chooseServer(context.settings)
  const own = await makeOwnServerHint(context, server)
  return own && problem(`no response from ${server.address}; ${own.message}`, own.hint)
}

/** Returns whether a response looks like that of `/healthz` on a memctl server. */
export function isHealthOfMemctl({ status, text }: Pick<Reply, 'status' | 'text'>): boolean {
  return status === 200 && /^\s*\{\s*"status"/.test(text)
}

type Reply = { status: number; location: string | undefined; date: string | undefined; text: string }

/** Requests a path without a key, from the configured server or from `address`. Returns the response, or a problem without one. */
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

/** The OpenAPI document is far smaller. In bytes; a whole number of MiB. */
const ANSWER_BYTES_MAX = 4 << 20

/** Returns only the origin of a redirect's target, because the rest may contain a secret. */
function onward(location: string | null, from: string): string | undefined {
  return location !== null && URL.canParse(location, from) ? new URL(location, from).origin : undefined
}
