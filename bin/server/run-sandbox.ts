import { SANDBOX_PROVIDERS } from '../../server/sandbox/sandbox-providers.ts'
import { createSandboxServer, type SandboxServer } from '../../server/sandbox/sandbox-server.ts'
import type { SandboxRun } from '../../src/cli/ports/server-host.ts'
import type { Clock, Ids } from '../../src/ports.ts'
import { listen } from '../node/http/listen.ts'

export type SandboxPlace = { host: string; port: number }

/**
 * How long the last replies may take, in milliseconds. Clients with a reply that was requested never to arrive are not
 * waited for.
 */
const LAST_BYTES_MS = 1000

/**
 * Runs the sandbox alone on a port of this machine, until the signal is aborted.
 *
 * @throws Fault `address_in_use`, `usage` for an address that this machine does not have.
 */
export async function runSandbox(
  place: SandboxPlace,
  { signal, onReady }: SandboxRun,
  world: { clock: Clock; ids: Ids }
): Promise<void> {
  let open = (_: SandboxServer): void => undefined
  const opened = new Promise<SandboxServer>((resolve) => {
    open = resolve
  })
  const listener = await listen({
    ...place,
    answer: async (request) => (await opened).fetch(request),
    refuse: ({ message, hint }) => Response.json({ error: { message, hint } }, { status: 400 })
  })
  try {
    const server = createSandboxServer(listener.origin, { world, sandboxProviders: SANDBOX_PROVIDERS })
    open(server)
    await onReady({ origin: listener.origin, environment: server.environment })
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  } finally {
    await listener.close(LAST_BYTES_MS)
  }
}
