import type { Grants } from '../core/grants.ts'
import type { SandboxClock } from '../core/sandbox-clock.ts'
import type { StandIn } from '../stand-in.ts'
import { brokenOff, padded, wronglyShaped } from './broken-bodies.ts'
import type { OuterFault } from './fault-order.ts'

type Around = {
  standIn: StandIn
  grants: Grants
  clock: SandboxClock
  signal: AbortSignal
  /** Access and refresh tokens that came with the call. */
  tokens: readonly string[]
  /** What would be answered without the fault. */
  answer(): Promise<Response>
}

/** Answers a call with the fault that was ordered for it. Rejects with the reason of the signal. */
export async function carryOut(fault: OuterFault, around: Around): Promise<Response> {
  const { standIn, grants, clock, signal, tokens, answer } = around
  switch (fault.kind) {
    case 'rate_limited':
      return standIn.refusal({ status: fault.status, reason: 'rate_limited', retryAfter: fault.retry_after })
    case 'server_error':
    case 'overloaded':
      return standIn.refusal({ status: fault.status, reason: fault.kind, retryAfter: undefined })
    case 'timeout':
      return await untilCallerLeaves(signal)
    case 'html':
      return new Response(PORTAL_PAGE, {
        status: fault.status,
        headers: { 'content-type': 'text/html; charset=utf-8' }
      })
    case 'cut_body':
      return await brokenOff(await answer(), { bytes: fault.bytes, nextTurn: () => clock.wait(0, signal) })
    case 'wrong_shape':
      return await wronglyShaped(await answer())
    case 'big':
      return await padded(await answer(), fault.bytes)
    case 'slow':
      await clock.wait(fault.ms, signal)
      return await answer()
    case 'expired_token':
      for (const token of tokens) grants.expire(token)
      return await answer()
    case 'dead_grant':
      for (const token of tokens) grants.revoke(token)
      return await answer()
  }
}

/** What stands between a program and the provider in hotels and trains. */
const PORTAL_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Welcome to the guest network</title></head>
<body><h1>Welcome to the guest network</h1><p>Please accept the terms of use to go on.</p></body></html>
`

function untilCallerLeaves(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
