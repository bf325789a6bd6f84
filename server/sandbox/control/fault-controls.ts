import { operationsOf } from '../core/stand-in-state.ts'
import type { ControlCall, ControlDesk } from './control-desk.ts'
import { ControlFlaw } from './control-flaw.ts'
import { describedInput } from './described-input.ts'
import { type OpenOrder, ORDERS_MAX } from './fault-book.ts'
import { FaultOrder } from './fault-order.ts'

const HINT = `{"provider": "...", "operation": "...", "kind": "rate_limited", "retry_after": 30, "times": 2}; kinds are ${kinds().join(', ')}`

/** Orders a fault for calls to come. */
export function orderFault(desk: ControlDesk, { input }: ControlCall): unknown {
  const order = describedInput(input, FaultOrder, HINT)
  const known = namesOf(desk, order)
  if (order.operation !== undefined && !known.includes(order.operation))
    throw new ControlFlaw(422, `${order.provider} has no operation ${order.operation}`, `it has ${known.join(', ')}`)
  if (!desk.faults.add(order))
    throw new ControlFlaw(409, `there are ${ORDERS_MAX} orders already`, 'DELETE control/faults')
  return shown({ order, after: order.after, times: order.times })
}

/** The orders that are not used up, with what is left of them. */
export function listFaults({ faults }: ControlDesk): unknown {
  return faults.list().map(shown)
}

/** Takes all orders back. */
export function dropFaults({ faults }: ControlDesk): unknown {
  faults.clear()
  return { message: 'All orders are taken back' }
}

function shown({ order, after, times }: OpenOrder): unknown {
  return { ...order, after, times }
}

function namesOf({ states }: ControlDesk, { provider }: FaultOrder): string[] {
  const state = states.get(provider)
  if (state === undefined)
    throw new ControlFlaw(404, `there is no ${provider} here`, `there are ${[...states.keys()].join(', ')}`)
  return [...new Set(operationsOf(state.standIn).map(({ operation }) => operation))]
}

function kinds(): string[] {
  return FaultOrder.options.map(({ shape }) => shape.kind.value)
}
