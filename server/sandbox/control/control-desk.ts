import type { SandboxClock } from '../core/sandbox-clock.ts'
import type { StandInState } from '../core/stand-in-state.ts'
import type { FaultBook } from './fault-book.ts'
import type { RequestLog } from './request-log.ts'

/** What somebody may reach who controls a sandbox. */
export type ControlDesk = {
  states: ReadonlyMap<string, StandInState>
  clock: SandboxClock
  faults: FaultBook
  log: RequestLog
  allow(request: Request): Promise<boolean>
}

/** `input` is the JSON value that was sent; undefined where there was none. */
export type ControlCall = { params: Readonly<Record<string, string>>; query: URLSearchParams; input: unknown }
