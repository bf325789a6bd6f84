import type { Clock, Ids } from '../../../src/ports.ts'
import type { Engine } from '../../recall/engine.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Call, Caller } from '../handler.ts'

/** What the handlers work with. */
export type HandlerWorld = {
  storage: Storage
  engine: Engine
  clock: Clock
  ids: Ids
  /** How long a collection lives that an import made, in milliseconds. */
  ephemeralTtlMs: number
}

/** Who calls an endpoint that is not public. */
export function callerOf({ caller }: Pick<Call<unknown>, 'caller'>): Caller {
  if (caller === undefined) throw new Error('an endpoint that asks for a key was called without one')
  return caller
}

/** Milliseconds since 1970 as the wire writes a time. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}
