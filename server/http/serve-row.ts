import { Fault } from '../../src/contract/faults.ts'
import type { Clock } from '../../src/ports.ts'
import type { SnapshotEngine } from '../recall/engine/engine.ts'
import type { Storage } from '../storage/port/storage.ts'
import { type ConnectorCollections, checkAdmin, checkRow } from './check-row.ts'
import { type FindCaller, toNetwork } from './find-caller.ts'
import type { Call, Caller, Handler } from './handler.ts'
import type { HandlerReply } from './reply/answer-reply.ts'
import { answerReply } from './reply/answer-reply.ts'
import type { Allowance, BodyBudget } from './request/body-budget.ts'
import { prefersLines } from './request/body-form.ts'
import type { HttpSettings } from './request/http-settings.ts'
import type { IdleWatch } from './request/idle-watch.ts'
import type { InFlightRequests, PlaceOwner } from './request/in-flight-requests.ts'
import type { RequestContext } from './request/request-context.ts'
import type { EndpointRow } from './request/sort-routes.ts'
import { takeBody } from './request/take-body.ts'
import type { TokenBuckets } from './request/token-buckets.ts'
import { validateInput, validateQuery } from './request/validate-input.ts'

/** A row with its handler. */
export type Served = { row: EndpointRow; handler: Handler<unknown> }

export type ServeParts = {
  storage: Pick<Storage, 'listCollections'>
  engine: Pick<SnapshotEngine, 'readBody'>
  connections: ConnectorCollections
  clock: Clock
  settings: HttpSettings
  inFlightRequests: InFlightRequests
  findCaller: FindCaller
  idle: IdleWatch
  budget: BodyBudget
  /** The rate limits of keys; undefined if requests are not limited. */
  keyBuckets: TokenBuckets | undefined
}

/** A request and the parameters of its path. */
export type Arrived = { requestContext: RequestContext; params: Record<string, string> }

/**
 * Processes a request by its row: identifies the caller, checks the access, validates the input, and calls the handler.
 *
 * @throws Fault if the request is refused.
 */
export async function serveRow(parts: ServeParts, served: Served, arrived: Arrived): Promise<Response> {
  const { row } = served
  const { requestContext } = arrived
  if (row.acts) parts.inFlightRequests.admit()
  const caller = row.access === 'public' ? undefined : await letIn(parts, row, requestContext)
  const allowance = parts.budget.open(findOwner(caller, requestContext))
  try {
    return await answerCaller(parts, served, { ...arrived, caller, allowance })
  } finally {
    allowance.close()
  }
}

type LetIn = Arrived & { caller: Caller | undefined; allowance: Allowance }

async function answerCaller(parts: ServeParts, { row, handler }: Served, arrived: LetIn): Promise<Response> {
  const { requestContext, caller } = arrived
  const search = new URL(requestContext.request.url).searchParams
  const address = addressPart(row, arrived, search)
  // Collections that only the body names are known after the body was read.
  const late = row.collections !== undefined && row.body?.json !== undefined
  if (caller && !late) await checkRow(parts, row, { caller, input: address })
  const { body, snapshot } = await takeBody(parts, row.body, arrived)
  const input = { ...address, body }
  if (caller && late) await checkRow(parts, row, { caller, input })
  requestContext.signal.throwIfAborted()
  if (caller || row.acts) requestContext.begin(findOwner(caller, requestContext))
  const call: Call<unknown> = {
    ...input,
    search,
    caller,
    snapshot,
    wantsLines: row.replies.some(({ lines }) => lines) && prefersLines(requestContext.request.headers),
    requestId: requestContext.requestId,
    headers: requestContext.request.headers,
    signal: requestContext.signal
  }
  const answer: HandlerReply<unknown> = await handler(call)
  requestContext.hasForm = 'page' in answer && answer.hasForm
  return answerReply(row, answer, requestContext.request.method)
}

/** Returns the key of the caller, or the network of a request without a key. */
function findOwner(caller: Caller | undefined, { address }: RequestContext): PlaceOwner {
  if (caller) return { id: caller.keyId, named: `the key \`${caller.name}\`` }
  return { id: `network ${toNetwork(address)}`, named: 'this network address' }
}

/**
 * Admits a request. Refuses it while the server stops, without a valid key, above the rate limit, and without admin
 * access if the row requires it.
 */
async function letIn(parts: ServeParts, row: EndpointRow, requestContext: RequestContext): Promise<Caller> {
  parts.inFlightRequests.admit()
  const caller = await parts.findCaller(requestContext.request.headers, requestContext.address)
  requestContext.keyId = caller.keyId
  limitRate(parts, caller, requestContext.headers)
  if (row.access === 'admin') checkAdmin(caller)
  return caller
}

function limitRate({ keyBuckets, settings }: ServeParts, caller: Caller, headers: Headers): void {
  if (!keyBuckets) return
  const { granted, remaining, waitSeconds } = keyBuckets.take(caller.keyId)
  headers.set('ratelimit-policy', `"key";q=${settings.keyRequestsPerMinute};w=60`)
  headers.set('ratelimit', `"key";r=${remaining};t=${waitSeconds}`)
  if (granted) return
  const message = `the key \`${caller.name}\` exceeded its limit of ${settings.keyRequestsPerMinute} requests a minute`
  throw new Fault('rate_limited', message, { hint: 'wait as long as Retry-After says', retryAfter: waitSeconds })
}

/** Validates the parameters of the path and the query. The query of a public endpoint is not checked here. */
function addressPart(row: EndpointRow, { params }: Arrived, search: URLSearchParams): Record<string, unknown> {
  return {
    ...(row.params && { params: validateInput(row.params, params, 'the path') }),
    ...(row.access !== 'public' && { query: validateQuery(row.query, search) })
  }
}
