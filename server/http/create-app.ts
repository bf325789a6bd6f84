import { Hono } from 'hono'
import { ENDPOINTS } from '../../src/contract/endpoints/endpoints.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { Clock, Ids, Log } from '../../src/ports.ts'
import type { Engine } from '../recall/engine/engine.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Sync } from '../sync/create-sync.ts'
import type { ConnectorCollections } from './check-row.ts'
import { createReceiver, type Router } from './create-receiver.ts'
import { makeDocsPage } from './docs/make-docs-page.ts'
import { PAGE_STYLES } from './docs/page-style.ts'
import { createFindCaller } from './find-caller.ts'
import type { Handler, Handlers } from './handler.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { makeOpenApi } from './openapi/make-open-api.ts'
import { wantsPage } from './pages/render-problem-page.ts'
import { addSecurityHeaders } from './reply/add-security-headers.ts'
import { problemReply } from './reply/problem-reply.ts'
import { createBodyBudget } from './request/body-budget.ts'
import type { HttpSettings } from './request/http-settings.ts'
import { createIdleWatch } from './request/idle-watch.ts'
import { createInFlightRequests } from './request/in-flight-requests.ts'
import type { Peer, RequestContext } from './request/request-context.ts'
import { sortRoutes } from './request/sort-routes.ts'
import { createTokenBuckets } from './request/token-buckets.ts'
import { type Arrived, type Served, serveRow } from './serve-row.ts'
import { createServiceHandlers, type ScrubState, type ServiceHandlers } from './service-handlers.ts'

/** The service as a function from request to response. */
export type App = {
  /** Never rejects: an error becomes a reply. */
  fetch(request: Request, peer?: Peer): Promise<Response>
  /** Returns the reply to something that is not an HTTP request. */
  refuse(fault: Fault): Response
  /**
   * Rejects new requests with 503 from now on. Resolves when those in flight have ended. Requests that remain after
   * `graceMs` are aborted through their signals.
   */
  drain(graceMs: number): Promise<void>
}

type AppParts = {
  /** All handlers except those of the service itself, which the app creates. */
  handlers: Omit<Handlers, keyof ServiceHandlers>
  storage: Pick<Storage, 'findKeyByHash' | 'listCollections' | 'ping'>
  engine: Pick<Engine, 'readBody' | 'state'>
  connections: ConnectorCollections
  sync: Pick<Sync, 'state'>
  scrub: { state(): ScrubState }
  world: { clock: Clock; ids: Ids; log: Log }
  settings: HttpSettings
}

/** Creates the app over a storage and an engine. The caller closes both after the app was drained. */
export function createApp({ handlers, storage, engine, connections, sync, scrub, world, settings }: AppParts): App {
  const { clock } = world
  const { requestsMax, requestsPerCallerMax } = settings
  const inFlightRequests = createInFlightRequests({ clock, requestsMax, requestsPerCallerMax })
  const budget = createBodyBudget({
    bytesMax: settings.bodiesBytesMax,
    bytesPerCallerMax: settings.bodiesBytesPerCallerMax
  })
  const metrics = createMetrics()
  const openApi = once(() => makeOpenApi(settings.version))
  const own = { openApi, docs: once(() => makeDocsPage(openApi(), settings.publicUrl)) }
  const service = createServiceHandlers({
    storage,
    engine,
    sync,
    scrub,
    clock,
    inFlightRequests,
    budget,
    metrics,
    ...own
  })
  const all = { ...handlers, ...service }
  const { keyRequestsPerMinute: perMinute, wrongKeysPerMinute } = settings
  const findCaller = createFindCaller({ storage, clock, wrongKeysPerMinute })
  const keyBuckets = perMinute === undefined ? undefined : createTokenBuckets({ perMinute, clock })
  const idle = createIdleWatch({ clock, idleMs: settings.bodyIdleMs })
  const parts = {
    storage,
    engine,
    connections,
    clock,
    settings,
    inFlightRequests,
    findCaller,
    keyBuckets,
    idle,
    budget
  }
  const router = makeRouter(all, (served, arrived) => serveRow(parts, served, arrived))
  const receive = createReceiver({ router, world, inFlightRequests, metrics, settings })
  const drain = (graceMs: number): Promise<void> => inFlightRequests.drain(graceMs).finally(idle.close)
  return { fetch: receive, refuse: createRefuser({ world, metrics }), drain }
}

type Serve = (served: Served, arrived: Arrived) => Promise<Response>

/** Creates a router with each path of the rows and its methods. Other methods and other paths are refused. */
function makeRouter(handlers: Handlers, serve: Serve): Router {
  const router: Router = new Hono()
  for (const { path, methods, allow } of sortRoutes()) {
    const pattern = path.replaceAll(/\{([^}]*)\}/g, ':$1')
    for (const [method, name] of methods) {
      // The name connects a handler with its row. The input has the right type because it is validated against that
      // row.
      const served: Served = { row: ENDPOINTS[name], handler: handlers[name] as Handler<unknown> }
      router.on(method, pattern, (context) => {
        const { requestContext } = context.env
        requestContext.route = path
        const { access, acts } = served.row
        requestContext.isPublic = access === 'public' && !acts
        requestContext.forPage = acts === true && wantsPage(requestContext.request)
        // A HEAD request, for example from a link preview, must not trigger any action.
        if (acts && requestContext.request.method === 'HEAD') throw noMethod(requestContext, { path, allow })
        return serve(served, { requestContext, params: context.req.param() as Record<string, string> })
      })
    }
    router.all(pattern, ({ env }) => {
      env.requestContext.route = path
      throw noMethod(env.requestContext, { path, allow })
    })
  }
  router.notFound(({ req }) => {
    throw new Fault('not_found', `no resource at ${req.path.slice(0, 200)}`, {
      hint: 'see /docs for the endpoints'
    })
  })
  router.onError((thrown) => {
    throw thrown
  })
  return router
}

function noMethod({ headers, request }: RequestContext, { path, allow }: { path: string; allow: string }): Fault {
  headers.set('allow', allow)
  return new Fault('method_not_allowed', `${path} does not support ${request.method}`, {
    hint: `supported methods: ${allow}`
  })
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

type RefuserParts = { world: { ids: Ids; log: Log }; metrics: Metrics }

const REQUEST_ID_BYTES = 16

/**
 * Creates a function that builds the reply to something that is not an HTTP request, with the same headers as other
 * refusals.
 */
function createRefuser({ world, metrics }: RefuserParts): (fault: Fault) => Response {
  return (fault) => {
    const requestId = world.ids.randomHex(REQUEST_ID_BYTES)
    const reply = problemReply(fault, requestId)
    reply.headers.set('x-request-id', requestId)
    addSecurityHeaders(reply.headers, { styles: PAGE_STYLES, hasForm: false })
    metrics.countReply({ route: 'none', method: 'other', status: reply.status, seconds: 0 })
    world.log.debug({ requestId, status: reply.status, reason: fault.message }, 'malformed request')
    return reply
  }
}
