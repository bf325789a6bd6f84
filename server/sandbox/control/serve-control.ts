import { readBody } from '../core/read-body.ts'
import { createRouteTable } from '../core/route-table.ts'
import { moveClock, tellClock } from './clock-controls.ts'
import { changeContent, listAccounts } from './content-controls.ts'
import type { ControlCall, ControlDesk } from './control-desk.ts'
import { ControlFlaw } from './control-flaw.ts'
import { dropFaults, listFaults, orderFault } from './fault-controls.ts'

type ControlRoute = { method: string; path: string; answer(desk: ControlDesk, call: ControlCall): unknown }

const ROUTES: readonly ControlRoute[] = [
  { method: 'GET', path: '/faults', answer: listFaults },
  { method: 'POST', path: '/faults', answer: orderFault },
  { method: 'DELETE', path: '/faults', answer: dropFaults },
  { method: 'GET', path: '/clock', answer: tellClock },
  { method: 'POST', path: '/clock', answer: moveClock },
  { method: 'GET', path: '/requests', answer: ({ log }) => ({ counts: log.counts(), requests: log.entries() }) },
  { method: 'DELETE', path: '/requests', answer: dropRequests },
  { method: 'GET', path: '/accounts', answer: listAccounts },
  { method: 'POST', path: '/accounts/{provider}/{account}/{change}', answer: changeContent },
  { method: 'POST', path: '/reset', answer: reset }
]

const TABLE = createRouteTable(ROUTES)

type Incoming = { request: Request; url: URL; path: string }

/** Orders of who controls the sandbox, as JSON. Rejects only with the reason of the request's signal. */
export async function serveControl(desk: ControlDesk, { request, url, path }: Incoming): Promise<Response> {
  const found = TABLE.find(request.method, path)
  try {
    if (!(await desk.allow(request))) throw new ControlFlaw(403, 'you may not control the sandbox', FORBIDDEN_HINT)
    if (found === undefined) throw new ControlFlaw(404, `there is no ${request.method} control${path}`, ROUTES_HINT)
    const input = await jsonOf(request)
    const value = found.route.answer(desk, { params: found.params, query: url.searchParams, input })
    return Response.json(value ?? null, { headers: { 'cache-control': 'no-store' } })
  } catch (error) {
    request.signal.throwIfAborted()
    if (error instanceof ControlFlaw) return error.reply()
    return new ControlFlaw(500, `the sandbox has a bug: ${String(error)}`, 'reset it').reply()
  }
}

const FORBIDDEN_HINT =
  "a sandbox inside a server wants an admin's key (Authorization: Bearer ...); one that runs alone wants a program of this machine"
const ROUTES_HINT = `there are ${ROUTES.map(({ method, path }) => `${method} control${path}`).join(', ')}`

async function jsonOf(request: Request): Promise<unknown> {
  const body = await readBody(request)
  if (body === undefined) throw new ControlFlaw(413, 'the body is too large', 'send less at once')
  if (body.length === 0) return undefined
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new ControlFlaw(400, 'the body is not JSON', 'send JSON, as in -d \'{"advance_ms": 60000}\'')
  }
}

function dropRequests({ log }: ControlDesk): unknown {
  log.clear()
  return { message: 'Requests forgotten' }
}

/** Content, faults, clock and what was used or revoked: all as at the start. */
function reset({ states, clock, faults, log }: ControlDesk): unknown {
  clock.reset()
  faults.clear()
  log.clear()
  for (const state of states.values()) state.reset()
  return { message: 'The sandbox is as it was at its start' }
}
