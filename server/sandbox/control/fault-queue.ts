import * as z from 'zod'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'

/** The requested faults that are not used up. */
export type FaultQueue = {
  /** Adds a fault. Returns false if there are too many. */
  add(order: FaultOrder): boolean
  list(): readonly OpenOrder[]
  /** Takes the fault that applies to a call, if any: that of the oldest matching request. */
  takeOuter(call: Called): OuterFault | undefined
  /** The same for faults that a sandbox provider implements itself. */
  takeOwn(call: Called, kind: string): OwnFault | undefined
  clear(): void
}

export type OpenOrder = { order: FaultOrder; after: number; times: number }

/** A call as requests for faults name it. `path` is the actual one, `pattern` that of the route. */
export type Called = { provider: ProviderId; operation: string; path: string; pattern: string }

export const ORDERS_MAX = 1000

/** Creates an empty queue. */
export function createFaultQueue(): FaultQueue {
  let open: OpenOrder[] = []

  function take(call: Called, fits: (order: FaultOrder) => boolean): FaultOrder | undefined {
    for (const one of open) {
      if (!fits(one.order) || !concerns(one.order, call)) continue
      if (one.after > 0) {
        one.after -= 1
        continue
      }
      one.times -= 1
      open = open.filter(({ times }) => times > 0)
      return one.order
    }
    return undefined
  }

  return {
    add(order) {
      if (open.length >= ORDERS_MAX) return false
      open.push({ order, after: order.after, times: order.times })
      return true
    },
    list: () => open,
    takeOuter: (call) => take(call, (order) => !isOwn(order)) as OuterFault | undefined,
    takeOwn: (call, kind) => take(call, (order) => order.kind === kind && isOwn(order)) as OwnFault | undefined,
    clear() {
      open = []
    }
  }
}

function isOwn({ kind }: FaultOrder): boolean {
  return kind === 'lag' || kind === 'repeat_cursor'
}

function concerns(order: FaultOrder, { provider, operation, path, pattern }: Called): boolean {
  if (order.provider !== provider) return false
  if (order.operation !== undefined && order.operation !== operation) return false
  return order.path === undefined || order.path === path || order.path === pattern
}

const TIMES_MAX = 1_000_000
const BYTES_MAX = 256 * 1024 * 1024
const HOUR_MS = 3_600_000

const times = z.int().min(1).max(TIMES_MAX)
const status = z.int().min(400).max(599)
const bytes = z.int().min(0).max(BYTES_MAX)

/** The calls that a fault applies to, and their number. */
const which = {
  provider: z.string().max(100),
  /** As in the coverage table, or `oauth.authorize`, `oauth.token`, `oauth.revoke`. */
  operation: z.string().max(200).optional(),
  /** Relative to the sandbox provider's base URL, as requested or as in the coverage table. */
  path: z.string().max(2000).optional(),
  times: times.default(1),
  /** Matching calls that are skipped first. */
  after: z.int().min(0).max(TIMES_MAX).default(0)
}

/** The faults that can be requested. README.md in this folder explains each kind. */
export const FaultOrder = z.discriminatedUnion('kind', [
  z.strictObject({
    ...which,
    kind: z.literal('rate_limited'),
    status: status.default(429),
    retry_after: z.int().min(0).max(86_400).optional()
  }),
  z.strictObject({ ...which, kind: z.literal('server_error'), status: status.default(500) }),
  z.strictObject({ ...which, kind: z.literal('overloaded'), status: status.default(503) }),
  z.strictObject({ ...which, kind: z.literal('timeout') }),
  z.strictObject({ ...which, kind: z.literal('cut_body'), bytes: bytes.default(20) }),
  z.strictObject({ ...which, kind: z.literal('html'), status: z.int().min(200).max(599).default(200) }),
  z.strictObject({ ...which, kind: z.literal('wrong_shape') }),
  z.strictObject({ ...which, kind: z.literal('expired_token') }),
  z.strictObject({ ...which, kind: z.literal('dead_grant') }),
  z.strictObject({ ...which, kind: z.literal('slow'), ms: z.int().min(0).max(HOUR_MS) }),
  z.strictObject({ ...which, kind: z.literal('big'), bytes: bytes.default(32 * 1024 * 1024) }),
  z.strictObject({ ...which, kind: z.literal('lag'), value: z.int().min(0).default(1) }),
  z.strictObject({ ...which, kind: z.literal('repeat_cursor'), value: z.int().min(0).default(1) })
])

export type FaultOrder = z.output<typeof FaultOrder>
/** Implemented by the sandbox providers themselves, which know their listings. */
type OwnFault = Extract<FaultOrder, { kind: 'lag' | 'repeat_cursor' }>
/** Applied to any response of a sandbox provider. */
export type OuterFault = Exclude<FaultOrder, OwnFault>
