import * as z from 'zod'
import { listOperations, type ProviderState } from '../core/provider-state.ts'
import { readBody } from '../core/read-body.ts'
import { createRouteTable } from '../core/route-table.ts'
import type { SandboxClock } from '../core/sandbox-clock.ts'
import { FaultOrder, type FaultQueue, type OpenOrder, ORDERS_MAX } from './fault-queue.ts'
import type { RequestLog } from './request-log.ts'

/** The parts of a sandbox that its control routes read and change. */
export type ControlContext = {
  states: ReadonlyMap<string, ProviderState>
  clock: SandboxClock
  faults: FaultQueue
  log: RequestLog
  allow(request: Request): Promise<boolean>
}

/** `input` is the JSON body; undefined if there was none. */
type ControlCall = { params: Readonly<Record<string, string>>; query: URLSearchParams; input: unknown }

type ControlRoute = { method: string; path: string; answer(context: ControlContext, call: ControlCall): unknown }

const ROUTES: readonly ControlRoute[] = [
  { method: 'GET', path: '/faults', answer: listFaults },
  { method: 'POST', path: '/faults', answer: orderFault },
  { method: 'DELETE', path: '/faults', answer: dropFaults },
  { method: 'GET', path: '/clock', answer: tellClock },
  { method: 'POST', path: '/clock', answer: moveClock },
  { method: 'GET', path: '/requests', answer: ({ log }) => ({ counts: log.counts(), requests: log.entries() }) },
  { method: 'DELETE', path: '/requests', answer: dropRequests },
  { method: 'GET', path: '/accounts', answer: listAccounts },
  { method: 'GET', path: '/accounts/{provider}', answer: showAccounts },
  { method: 'POST', path: '/accounts/{provider}/{account}/{change}', answer: changeContent },
  { method: 'POST', path: '/reset', answer: reset }
]

const TABLE = createRouteTable(ROUTES)

type Incoming = { request: Request; url: URL; path: string }

/** Serves the control routes, as JSON. Rejects only with the reason of the request's signal. */
export async function serveControl(context: ControlContext, { request, url, path }: Incoming): Promise<Response> {
  const found = TABLE.find(request.method, path)
  try {
    if (!(await context.allow(request)))
      throw new ControlFlaw(403, 'only an admin can control the sandbox', FORBIDDEN_HINT)
    if (found === undefined)
      throw new ControlFlaw(404, `unknown control request ${request.method} control${path}`, ROUTES_HINT)
    const input = await readJson(request)
    const value = found.route.answer(context, { params: found.params, query: url.searchParams, input })
    return Response.json(value ?? null, { headers: { 'cache-control': 'no-store' } })
  } catch (error) {
    request.signal.throwIfAborted()
    if (error instanceof ControlFlaw) return error.reply()
    return new ControlFlaw(
      500,
      `the sandbox failed because of a bug: ${String(error)}`,
      'reset the sandbox: POST control/reset'
    ).reply()
  }
}

const FORBIDDEN_HINT =
  'the sandbox of a server requires an admin key (Authorization: Bearer …); a standalone sandbox accepts only programs on this machine'
const ROUTES_HINT = `use one of ${ROUTES.map(({ method, path }) => `${method} control${path}`).join(', ')}`

async function readJson(request: Request): Promise<unknown> {
  const body = await readBody(request)
  if (body === undefined) throw new ControlFlaw(413, 'the body is too large', 'send less in one request')
  if (body.length === 0) return undefined
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new ControlFlaw(400, 'the body is not JSON', 'send JSON, as in -d \'{"advance_ms": 60000}\'')
  }
}

function dropRequests({ log }: ControlContext): unknown {
  log.clear()
  return { message: 'Request log cleared' }
}

/** Resets content, faults, clock, log and the used or revoked tokens. */
function reset({ states, clock, faults, log }: ControlContext): unknown {
  clock.reset()
  faults.clear()
  log.clear()
  for (const state of states.values()) state.reset()
  return { message: 'Sandbox reset to its initial state' }
}

/** A hundred years, so that times stay representable. */
const ADVANCE_MS_MAX = 100 * 366 * 24 * 3_600_000
const TIME_MAX = Date.UTC(2200, 0)

const Move = z.union([
  z.strictObject({ advance_ms: z.int().min(0).max(ADVANCE_MS_MAX) }),
  z.strictObject({ set: z.union([z.int().min(0).max(TIME_MAX), z.iso.datetime({ offset: true })]) })
])

const CLOCK_HINT = 'send {"advance_ms": 3600000} or {"set": "2026-10-01T09:00:00Z"}'

/** Moves the clock of the sandbox by milliseconds, or to a time. */
function moveClock(context: ControlContext, { input }: ControlCall): unknown {
  const move = parseInput(input, Move, CLOCK_HINT)
  if ('set' in move) context.clock.set(typeof move.set === 'number' ? move.set : Date.parse(move.set))
  else context.clock.advance(move.advance_ms)
  return tellClock(context)
}

/** Returns the time in the sandbox. */
function tellClock({ clock }: Pick<ControlContext, 'clock'>): unknown {
  return { now: new Date(clock.now()).toISOString(), now_ms: clock.now() }
}

/** Lists the accounts of all providers, and the changes of their content. */
function listAccounts({ states }: ControlContext): unknown {
  return [...states.values()].map(describeAccounts)
}

/** Describes the accounts of one provider, without creating the content of the others. */
function showAccounts({ states }: ControlContext, { params: { provider = '' } }: ControlCall): unknown {
  return describeAccounts(requireKnown(states.get(provider), `provider ${provider}`, [...states.keys()]))
}

function describeAccounts(state: ProviderState) {
  return {
    provider: state.sandboxProvider.id,
    service: state.sandboxProvider.service,
    accounts: state.accounts().map(({ id, name, email }) => ({ id, name, email })),
    changes: Object.keys(state.sandboxProvider.changes)
  }
}

/** Changes the content of an account, as if a user did so at the provider. */
function changeContent({ states, clock }: ControlContext, { params, input }: ControlCall): unknown {
  const { provider = '', account: named = '', change: name = '' } = params
  const state = requireKnown(states.get(provider), `provider ${provider}`, [...states.keys()])
  const account = requireKnown(findAccount(state, named), `account ${named}`, listIds(state))
  const { changes } = state.sandboxProvider
  const change = requireKnown(
    Object.hasOwn(changes, name) ? changes[name] : undefined,
    `change ${name}`,
    Object.keys(changes)
  )
  try {
    return change(account, input, { now: clock.now(), random: state.random })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new ControlFlaw(422, `${name}: ${message}`, 'see: memctl server sandbox --help')
  }
}

/** Finds an account by its id or email address. */
function findAccount(state: ProviderState, named: string) {
  return state.accounts().find(({ id, email }) => id === named || email === named)
}

function listIds(state: ProviderState): string[] {
  return state.accounts().map(({ id }) => id)
}

function requireKnown<T>(value: T | undefined, what: string, known: readonly string[]): T {
  if (value === undefined) throw new ControlFlaw(404, `${what} does not exist`, `use one of ${known.join(', ')}`)
  return value
}

const FAULT_HINT = `{"provider": "...", "operation": "...", "kind": "rate_limited", "retry_after": 30, "times": 2}; kinds are ${kinds().join(', ')}`

/** Requests a fault for future calls. */
function orderFault(context: ControlContext, { input }: ControlCall): unknown {
  const order = parseInput(input, FaultOrder, FAULT_HINT)
  const known = listTargets(context, order)
  if (order.operation !== undefined && !known.includes(order.operation))
    throw new ControlFlaw(
      422,
      `${order.provider} has no operation ${order.operation}`,
      `use one of ${known.join(', ')}`
    )
  if (!context.faults.add(order))
    throw new ControlFlaw(
      409,
      `the limit of ${ORDERS_MAX} requested faults is reached`,
      'remove them: DELETE control/faults'
    )
  return toShownOrder({ order, after: order.after, times: order.times })
}

/** Lists the faults that are not used up, with their remaining counts. */
function listFaults({ faults }: ControlContext): unknown {
  return faults.list().map(toShownOrder)
}

/** Removes all requested faults. */
function dropFaults({ faults }: ControlContext): unknown {
  faults.clear()
  return { message: 'All requested faults removed' }
}

function toShownOrder({ order, after, times }: OpenOrder): unknown {
  return { ...order, after, times }
}

function listTargets({ states }: ControlContext, { provider }: FaultOrder): string[] {
  const state = states.get(provider)
  if (state === undefined)
    throw new ControlFlaw(404, `provider ${provider} does not exist`, `use one of ${[...states.keys()].join(', ')}`)
  return [...new Set(listOperations(state.sandboxProvider).map(({ operation }) => operation))]
}

function kinds(): string[] {
  return FaultOrder.options.map(({ shape }) => shape.kind.value)
}

/**
 * Parses the input by its schema.
 *
 * @throws ControlFlaw 422 with the first problem.
 */
function parseInput<S extends z.ZodType>(input: unknown, schema: S, hint: string): z.output<S> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.join('.')
  throw new ControlFlaw(422, `${where}: ${issue?.message ?? 'is invalid'}`, hint)
}

/** A control request that cannot be executed, with a hint. */
class ControlFlaw extends Error {
  readonly status: number
  readonly hint: string

  constructor(status: number, message: string, hint: string) {
    super(message)
    this.name = 'ControlFlaw'
    this.status = status
    this.hint = hint
  }

  /** Builds a JSON response in the format of the server's own errors. */
  reply(): Response {
    const { status, message, hint } = this
    return Response.json({ error: { message, hint } }, { status, headers: { 'cache-control': 'no-store' } })
  }
}
