import type { ProviderState } from '../core/provider-state.ts'
import type { SandboxClock } from '../core/sandbox-clock.ts'
import type { FaultQueue } from './fault-queue.ts'
import type { RequestLog } from './request-log.ts'

/** What somebody may reach who controls a sandbox. */
export type ControlContext = {
  states: ReadonlyMap<string, ProviderState>
  clock: SandboxClock
  faults: FaultQueue
  log: RequestLog
  allow(request: Request): Promise<boolean>
}

/** `input` is the JSON value that was sent; undefined where there was none. */
export type ControlCall = { params: Readonly<Record<string, string>>; query: URLSearchParams; input: unknown }
