import type { StorageMethod } from '../../server/storage/port/storage.ts'

/** Failures between the parts of the simulation. A step of the scenario arms each of them, and each happens once. */
export type WorldFault =
  /**
   * A failure of a node's call to the storage. It hits the `nth` call after it was armed, or the `nth` call of `method`
   * if given.
   */
  | {
      on: 'storage'
      node: NodeName | 'any'
      nth: number
      method?: StorageMethod
      effect: 'refused' | 'slow' | 'lost_answer' | 'crash_before' | 'crash_after'
    }
  /** Of a request that a node sends to a provider. */
  | { on: 'provider_call'; node: NodeName; nth: number; effect: LineEffect }
  /** Of a request that a client sends to a node. */
  | { on: 'client_call'; client: number; nth: number; effect: LineEffect }

export type NodeName = 'a' | 'b'

/** The possible effects on a request. `left`: its sender disconnects early. */
export type LineEffect = 'reset_before' | 'reset_after' | 'half_open' | 'slow' | 'twice' | 'left'

export const LINE_EFFECTS: readonly LineEffect[] = ['reset_before', 'reset_after', 'half_open', 'slow', 'twice', 'left']

export const STORAGE_EFFECTS = ['refused', 'slow', 'lost_answer', 'crash_before', 'crash_after'] as const

type StorageFault = Extract<WorldFault, { on: 'storage' }>
type ProviderFault = Extract<WorldFault, { on: 'provider_call' }>
type ClientFault = Extract<WorldFault, { on: 'client_call' }>

/** The faults that are armed and have not happened yet. */
export type ArmedFaults = {
  arm(fault: WorldFault): void
  /** Counts a storage call of a node and returns the fault that hits it, if any. */
  takeStorage(node: string, method: StorageMethod): Extract<WorldFault, { on: 'storage' }>['effect'] | undefined
  takeProviderCall(node: string): LineEffect | undefined
  takeClientCall(client: number): LineEffect | undefined
  clear(): void
}

export function createArmedFaults(): ArmedFaults {
  let armed: { fault: WorldFault; left: number }[] = []

  /** Counts a call for each fault that applies to it, and returns the effect of the one that is due. */
  function take<Fault extends WorldFault>(isFor: (fault: WorldFault) => fault is Fault): Fault['effect'] | undefined {
    let due: Fault | undefined
    for (const one of armed) {
      if (!isFor(one.fault)) continue
      one.left -= 1
      if (one.left <= 0) due ??= one.fault
    }
    armed = armed.filter(({ left }) => left > 0)
    return due?.effect
  }

  return {
    arm: (fault) => void armed.push({ fault, left: fault.nth }),
    takeStorage: (node, method) =>
      take(
        (fault): fault is StorageFault =>
          fault.on === 'storage' &&
          (fault.node === 'any' || node.startsWith(fault.node)) &&
          (fault.method ?? method) === method
      ),
    takeProviderCall: (node) =>
      take((fault): fault is ProviderFault => fault.on === 'provider_call' && node.startsWith(fault.node)),
    takeClientCall: (client) =>
      take((fault): fault is ClientFault => fault.on === 'client_call' && fault.client === client),
    clear() {
      armed = []
    }
  }
}
