import type { ProviderId } from '../../src/contract/provider-ids.ts'
import type { Clock, Ids } from '../../src/ports.ts'
import { createFaultQueue } from './control/fault-queue.ts'
import { createRequestLog } from './control/request-log.ts'
import { type ControlContext, serveControl } from './control/serve-control.ts'

import { createClient } from './core/client.ts'
import { createGrants } from './core/grants.ts'
import { openProvider, type ProviderState } from './core/provider-state.ts'
import { createSandboxClock } from './core/sandbox-clock.ts'
import type { SandboxProvider } from './core/sandbox-provider.ts'
import { createSignedValues } from './core/signed-values.ts'
import type { ProviderEndpoints, Sandbox } from './sandbox.ts'
import { type Shared, serveProvider } from './serve-provider.ts'

export type SandboxOptions = {
  /** The public base URL, without a slash at the end. Sandbox providers are below it by their ids. */
  base: string
  /**
   * Signs tokens, and the client's secret is derived from it. Sandboxes with the same secret accept each other's
   * tokens.
   */
  secret: Uint8Array
  world: { clock: Clock; ids: Ids }
  sandboxProviders: readonly SandboxProvider[]
  /** Authorizes control requests. If absent, all are refused. */
  control?: { allow(request: Request): Promise<boolean> }
  /** Different seeds generate different content. */
  seed?: string
}

/** Creates a sandbox. Its content is generated on first use. */
export function createSandbox({
  base,
  secret,
  world,
  sandboxProviders,
  control,
  seed = 'memctl'
}: SandboxOptions): Sandbox {
  const clock = createSandboxClock(world.clock)
  const signed = createSignedValues(secret)
  const client = createClient(secret)
  const now = () => clock.now()
  const states = new Map<string, ProviderState>()
  for (const sandboxProvider of sandboxProviders) {
    const grants = createGrants({ provider: sandboxProvider.id, signed, clock, ids: world.ids })
    states.set(
      sandboxProvider.id,
      openProvider({ sandboxProvider, base: `${base}/${sandboxProvider.id}`, grants, seed, now })
    )
  }
  const context = { clientId: client.id, tickets: signed, now }
  const shared: Shared = { client, context, clock, faults: createFaultQueue(), log: createRequestLog() }
  const controlDesk: ControlContext = {
    ...shared,
    states,
    allow: async (request) => (await control?.allow(request)) === true
  }
  const root = new URL(base).pathname.replace(/\/$/, '')
  return { fetch, provider }

  async function fetch(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const [, name = '', rest = ''] = /^\/([^/]*)(.*)$/s.exec(url.pathname.slice(root.length)) ?? []
    const state = url.pathname.startsWith(`${root}/`) ? states.get(name) : undefined
    if (state !== undefined) return await serveProvider(shared, state, { request, url, path: rest })
    if (name === 'control') return await serveControl(controlDesk, { request, url, path: rest })
    return Response.json({ error: { message: `Providers: ${[...states.keys()].join(', ')}.` } }, { status: 404 })
  }

  function provider(id: ProviderId): ProviderEndpoints {
    const state = states.get(id)
    if (state === undefined) throw new Error(`the sandbox has no provider ${id}`)
    return toEndpoints(state, client)
  }
}

function toEndpoints(
  { base, sandboxProvider }: ProviderState,
  client: { id: string; secret: string }
): ProviderEndpoints {
  const { authorizePath, tokenPath, revokePath, issuer } = sandboxProvider.oauth
  return {
    authorizeUrl: `${base}${authorizePath}`,
    tokenUrl: `${base}${tokenPath}`,
    revokeUrl: revokePath === undefined ? undefined : `${base}${revokePath}`,
    issuer,
    apiUrl: `${base}${sandboxProvider.apiPath}`,
    clientId: client.id,
    clientSecret: client.secret
  }
}
