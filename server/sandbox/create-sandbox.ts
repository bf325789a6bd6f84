import type { ProviderId } from '../../src/contract/provider-ids.ts'
import type { Clock, Ids } from '../../src/ports.ts'
import type { ControlDesk } from './control/control-desk.ts'
import { createFaultBook } from './control/fault-book.ts'
import { createRequestLog } from './control/request-log.ts'
import { serveControl } from './control/serve-control.ts'
import { clientOf } from './core/client.ts'
import { createGrants } from './core/grants.ts'
import { createSandboxClock } from './core/sandbox-clock.ts'
import { type Shared, serveStandIn } from './core/serve-stand-in.ts'
import { createSignedValues } from './core/signed-values.ts'
import { openStandIn, type StandInState } from './core/stand-in-state.ts'
import type { Sandbox, SandboxProvider } from './sandbox.ts'
import type { StandIn } from './stand-in.ts'

export type SandboxOptions = {
  /** Where it is to be found from outside, without a slash at the end: stand-ins are below it, by their ids. */
  base: string
  /** What tokens are signed with, and the client's secret is made from. Sandboxes with one secret understand each other's tokens. */
  secret: Uint8Array
  world: { clock: Clock; ids: Ids }
  standIns: readonly StandIn[]
  /** Who may order faults and change content. Absent: nobody. */
  control?: { allow(request: Request): Promise<boolean> }
  /** Other seeds give other content. */
  seed?: string
}

/** A sandbox with its first content, which is made when it is first asked for. */
export function createSandbox({ base, secret, world, standIns, control, seed = 'memctl' }: SandboxOptions): Sandbox {
  const clock = createSandboxClock(world.clock)
  const signed = createSignedValues(secret)
  const client = clientOf(secret)
  const now = () => clock.now()
  const states = new Map<string, StandInState>()
  for (const standIn of standIns) {
    const grants = createGrants({ provider: standIn.id, signed, clock, ids: world.ids })
    states.set(standIn.id, openStandIn({ standIn, base: `${base}/${standIn.id}`, grants, seed, now }))
  }
  const desk = { clientId: client.id, tickets: signed, now }
  const shared: Shared = { client, desk, clock, faults: createFaultBook(), log: createRequestLog() }
  const controlDesk: ControlDesk = {
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
    if (state !== undefined) return await serveStandIn(shared, state, { request, url, path: rest })
    if (name === 'control') return await serveControl(controlDesk, { request, url, path: rest })
    return Response.json({ error: { message: `The sandbox has ${[...states.keys()].join(', ')}.` } }, { status: 404 })
  }

  function provider(id: ProviderId): SandboxProvider {
    const state = states.get(id)
    if (state === undefined) throw new Error(`the sandbox has no ${id}`)
    return addressesOf(state, client)
  }
}

function addressesOf({ base, standIn }: StandInState, client: { id: string; secret: string }): SandboxProvider {
  const { authorizePath, tokenPath, revokePath, issuer } = standIn.oauth
  return {
    authorizeUrl: `${base}${authorizePath}`,
    tokenUrl: `${base}${tokenPath}`,
    revokeUrl: revokePath === undefined ? undefined : `${base}${revokePath}`,
    issuer,
    apiUrl: `${base}${standIn.apiPath}`,
    clientId: client.id,
    clientSecret: client.secret
  }
}
