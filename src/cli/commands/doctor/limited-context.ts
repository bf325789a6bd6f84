import type { Fetch } from '../../../ports.ts'
import type { Context } from '../../command/context.ts'
import { once } from '../../ports/lazy-modules.ts'
import { openClient } from '../../service/open-client.ts'

/** How long anybody may take to answer, in milliseconds. */
const ANSWER_MS = 10_000

/**
 * The same context, but that nobody who is asked something is waited for longer than `ANSWER_MS`, its whole answer taken
 * together. What is still under way when `over` is aborted ends then.
 */
export function limitedContext(context: Context, over: AbortSignal): Context {
  const { settings, talk, modules } = context
  const { exchange: _quicker, fetch: unlimited, ...others } = context.world
  const fetch: Fetch = async (request) => {
    const late = new AbortController()
    // One of its own for each request: of many that wait for the same signal Node warns on stderr.
    void others.clock.wait(ANSWER_MS, AbortSignal.any([over])).then(
      () => late.abort(tookTooLong()),
      () => undefined
    )
    const signal = AbortSignal.any([late.signal, over, request.signal])
    return await Promise.race([unlimited(new Request(request, { signal })), failure(late.signal)])
  }
  const world = { ...others, fetch }
  return { ...context, world, client: once(() => openClient({ world, settings, talk, modules })) }
}

/** Rejects with the reason of a signal. */
async function failure(signal: AbortSignal): Promise<never> {
  return await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}

/** As the system says it. */
function tookTooLong(): Error {
  return Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT', syscall: 'connect' })
}
