import type { Thread } from '../../../src/ports.ts'
import type { CallName, EngineCalls } from '../engine/engine-calls.ts'

/** A thread of the engine, which does one job at a time. */
export type EngineSlot = {
  readonly isBusy: boolean
  /** Reports whether a call of this kind has begun there, so that its data is loaded or being loaded. */
  hasBegun(name: CallName): boolean
  call<Name extends CallName>(name: Name, sent: Sent<Name>): Promise<EngineCalls[Name]['answer']>
  end(): Promise<void>
}

/** The argument of a call. The memory of the buffers in `hand` is transferred. */
export type Sent<Name extends CallName> = {
  argument: EngineCalls[Name]['argument']
  hand?: readonly ArrayBuffer[]
}

/** Creates a slot for a started thread. */
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
