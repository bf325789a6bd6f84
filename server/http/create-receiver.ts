import type { Hono } from 'hono'
import { Fault } from '../../src/contract/faults.ts'
import type { Clock, Ids, Log } from '../../src/ports.ts'
import { PAGE_STYLES } from './docs/page-style.ts'
import type { Metrics } from './metrics.ts'
import { renderProblemPage } from './pages/render-problem-page.ts'
import { addSecurityHeaders } from './reply/add-security-headers.ts'
import { asFault, problemReply } from './reply/problem-reply.ts'
import { type BodyEnd, watchBody } from './reply/watch-body.ts'
import { checkOrigin } from './request/check-origin.ts'
import type { HttpSettings } from './request/http-settings.ts'
import type { InFlightRequest, InFlightRequests } from './request/in-flight-requests.ts'
import type { Peer, RequestContext } from './request/request-context.ts'

export type Router = Hono<{ Bindings: { requestContext: RequestContext } }>

export type ReceiverParts = {
  router: Router
  world: { clock: Clock; ids: Ids; log: Log }
  inFlightRequests: InFlightRequests
  metrics: Metrics
  settings: HttpSettings
}

/**
 * Surrounds every request. It gets an id, and counts as in flight until its reply was sent or its connection has
 * closed. Anything thrown becomes a reply, and log and metrics record the result.
 */
export function createReceiver(parts: ReceiverParts): (request: Request, peer?: Peer) => Promise<Response> {
  const { router, world, inFlightRequests, settings } = parts

  return async (request, peer) => {
    const since = world.clock.ticks()
    const inFlightRequest = inFlightRequests.enter()
    const requestContext = makeRequestContext(request, {
      peer,
      inFlightRequest,
      requestId: chooseRequestId(request, world.ids)
    })
    const answered = await answer()
    const reply = asReply(answered, requestContext)
    // A stopping server keeps no connections open.
    if (inFlightRequests.isDraining()) reply.headers.set('connection', 'close')
    return watchBody(reply, {
      signal: requestContext.signal,
      sent: peer?.sent,
      onEnd(end) {
        inFlightRequest.leave()
        if (end.how === 'failed') tellOfBreak(world.log, requestContext, end.thrown)
        report(parts, requestContext, { status: reply.status, end, ms: world.clock.ticks() - since })
      }
    })

    async function answer(): Promise<Response | Fault> {
      try {
        if (settings.loopback) checkOrigin(request, settings.publicUrl)
        return await router.fetch(request, { requestContext })
      } catch (thrown) {
        const fault = requestContext.signal.aborted ? asStop(thrown, requestContext.signal) : asFault(thrown)
        if (fault.code === 'internal') tellOfBug(world.log, requestContext, thrown)
        else if (isOutage(fault) || fault.code === 'damaged_storage') tellOfOutage(world.log, requestContext, fault)
        return fault
      }
    }
  }
}

/** Converts what was thrown after an abort to a fault, since it is not a bug. */
function asStop(thrown: unknown, { reason }: AbortSignal): Fault {
  const fault = [thrown, reason].find((one) => one instanceof Fault)
  return fault ?? new Fault('cancelled', 'the client disconnected before the reply was ready', { cause: thrown })
}

/**
 * A request id from a proxy is adopted if it has a usual form, so that both logs have the same id. The request id of
 * hono was rejected: it replaces ids with a full stop, and accepts ids of one letter.
 */
const REQUEST_ID = /^[A-Za-z0-9._-]{8,100}$/
const REQUEST_ID_BYTES = 16

function chooseRequestId({ headers }: Request, ids: Ids): string {
  const given = headers.get('x-request-id')
  return given !== null && REQUEST_ID.test(given) ? given : ids.randomHex(REQUEST_ID_BYTES)
}

type Arrival = { peer: Peer | undefined; inFlightRequest: InFlightRequest; requestId: string }

function makeRequestContext(request: Request, { peer, inFlightRequest, requestId }: Arrival): RequestContext {
  onLeave(request, peer, (reason) => inFlightRequest.abort(reason))
  return {
    request,
    requestId,
    address: peer?.address ?? '',
    signal: inFlightRequest.signal,
    begin: (caller) => inFlightRequest.begin(caller),
    headers: new Headers({ 'x-request-id': requestId }),
    route: undefined,
    keyId: undefined,
    isPublic: false,
    forPage: false,
    hasForm: false,
    bytesIn: 0
  }
}

/** Calls `gone` when the client has left: by its connection if there is one, else by the signal of the request. */
function onLeave(request: Request, peer: Peer | undefined, gone: (reason: unknown) => void): void {
  if (peer?.sent !== undefined)
    return void peer.sent.then((whole) => !whole && gone(new Fault('cancelled', 'the connection was closed')))
  const { signal } = request
  if (signal.aborted) gone(signal.reason)
  else signal.addEventListener('abort', () => gone(signal.reason), { once: true })
}

function asReply(answered: Response | Fault, { requestId, headers, forPage, hasForm }: RequestContext): Response {
  const told = forPage ? renderProblemPage : problemReply
  const reply = answered instanceof Response ? answered : told(answered, requestId)
  for (const [name, value] of headers) reply.headers.set(name, value)
  addSecurityHeaders(reply.headers, { styles: PAGE_STYLES, hasForm })
  return reply
}

function tellOfBug(log: Log, { request, requestId, route }: RequestContext, thrown: unknown): void {
  log.error(
    { err: thrown, requestId, method: request.method, route: route ?? null },
    'request failed with an unexpected error'
  )
}

/** Reports whether a dependency of the server failed. Faults about stopping or overload have no cause. */
function isOutage({ code, cause }: Fault): boolean {
  return code === 'unavailable' && cause !== undefined
}

function tellOfOutage(log: Log, { requestId, route }: RequestContext, { message, cause }: Fault): void {
  log.error({ err: cause, requestId, route: route ?? null, reason: message }, 'request could not be served')
}

/** Logs a reply that broke off, because its status was already sent. A fault is expected and describes itself. */
function tellOfBreak(log: Log, requestContext: RequestContext, thrown: unknown): void {
  const { requestId, route } = requestContext
  if (thrown instanceof Fault) {
    // Not as `code`, which the log treats as an authorization code.
    const fields = { fault: thrown.code, reason: thrown.message, err: thrown.cause }
    log.error({ requestId, route: route ?? null, ...fields }, 'reply was interrupted')
  } else tellOfBug(log, requestContext, thrown)
}

type Outcome = { status: number; end: BodyEnd; ms: number }

function report({ world, metrics }: ReceiverParts, requestContext: RequestContext, { status, end, ms }: Outcome): void {
  const { request, requestId, route, keyId, isPublic, bytesIn } = requestContext
  const method = METHODS.has(request.method) ? request.method : 'other'
  metrics.countReply({ route: route ?? 'none', method, status, seconds: ms / 1000 })
  const fields = {
    requestId,
    method,
    route: route ?? null,
    status,
    ms: Math.round(ms * 10) / 10,
    bytesIn,
    bytesOut: end.bytes
  }
  const brokenOff = end.how === 'whole' ? {} : { brokenOff: true }
  const level = isPublic && status < 400 ? 'debug' : 'info'
  world.log[level]({ ...fields, keyId: keyId ?? null, ...brokenOff }, 'request')
}

/** Other methods, which callers could invent, do not become series of the metrics. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])
