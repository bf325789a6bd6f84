import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { FaultOrder, OuterFault, OwnFault } from './fault-order.ts'

/** The faults that were ordered and are not used up. */
export type FaultBook = {
  /** False where there are too many. */
  add(order: FaultOrder): boolean
  list(): readonly OpenOrder[]
  /** The fault that happens to a call, if any: that of the oldest order that is due. */
  takeOuter(call: Called): OuterFault | undefined
  /** Likewise for what a stand-in carries out itself. */
  takeOwn(call: Called, kind: string): OwnFault | undefined
  clear(): void
}

export type OpenOrder = { order: FaultOrder; after: number; times: number }

/** A call as orders name it: `path` as it came, `pattern` as the table of routes has it. */
export type Called = { provider: ProviderId; operation: string; path: string; pattern: string }

export const ORDERS_MAX = 1000

/** An empty book. */
export function createFaultBook(): FaultBook {
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
