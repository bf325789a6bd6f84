import type { Thread } from '../../../src/ports.ts'
import type { CallName, EngineCalls } from '../engine/engine-calls.ts'

/** A thread of the engine: it does one thing at a time. */
export type EngineSlot = {
  readonly isBusy: boolean
  /** Calls of this kind were begun there: what they need is loaded, or is being loaded. */
  hasBegun(name: CallName): boolean
  call<Name extends CallName>(name: Name, sent: Sent<Name>): Promise<EngineCalls[Name]['answer']>
  end(): Promise<void>
}

/** What goes over; the memory of the buffers in `hand` is moved. */
export type Sent<Name extends CallName> = {
  argument: EngineCalls[Name]['argument']
  hand?: readonly ArrayBuffer[]
}

/** A slot around a thread that was started for it. */
export function createEngineSlot(thread: Thread): EngineSlot {
  const begun = new Set<CallName>()
  let isBusy = false
  return {
    get isBusy() {
      return isBusy
    },
    hasBegun: (name) => begun.has(name),
    async call(name, { argument, hand }) {
      isBusy = true
      begun.add(name)
      try {
        const answer = await thread.call(name, argument, hand)
        return answer as EngineCalls[typeof name]['answer']
      } finally {
        isBusy = false
      }
    },
    end: () => thread.end()
  }
}
