import type { Grants } from '../core/grants.ts'
import type { SandboxClock } from '../core/sandbox-clock.ts'
import type { SandboxProvider } from '../core/sandbox-provider.ts'
import type { OuterFault } from './fault-queue.ts'

type Around = {
  sandboxProvider: SandboxProvider
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
  const { sandboxProvider, grants, clock, signal, tokens, answer } = around
  switch (fault.kind) {
    case 'rate_limited':
      return sandboxProvider.refusal({ status: fault.status, reason: 'rate_limited', retryAfter: fault.retry_after })
    case 'server_error':
    case 'overloaded':
      return sandboxProvider.refusal({ status: fault.status, reason: fault.kind, retryAfter: undefined })
    case 'timeout':
      return await untilCallerLeaves(signal)
    case 'html':
      return new Response(PORTAL_PAGE, {
        status: fault.status,
        headers: { 'content-type': 'text/html; charset=utf-8' }
      })
    case 'cut_body':
      return await breakOff(await answer(), { bytes: fault.bytes, nextTurn: () => clock.wait(0, signal) })
    case 'wrong_shape':
      return await distortReply(await answer())
    case 'big':
      return await padReply(await answer(), fault.bytes)
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

/**
 * A reply whose body breaks off after `bytes` bytes, or in its middle where it has no more than that. `nextTurn` resolves when
 * what is due has been done.
 */
async function breakOff(
  reply: Response,
  { bytes, nextTurn }: { bytes: number; nextTurn(): Promise<void> }
): Promise<Response> {
  const whole = new Uint8Array(await reply.arrayBuffer())
  const kept = whole.subarray(0, bytes < whole.length ? bytes : whole.length >> 1)
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (kept.length > 0) controller.enqueue(kept)
    },
    async pull(controller) {
      for (let turn = 0; turn < TURNS; turn++) await nextTurn()
      controller.error(cutOff())
    }
  })
  const headers = new Headers(reply.headers)
  // Only bodies that say how long they are can be seen to have broken off.
  headers.set('content-length', String(Math.max(whole.length, kept.length + 1)))
  return new Response(body, { status: reply.status, headers })
}

/**
 * The server looks for the first pieces of a body before it sends anything (@hono/node-server): an error that is there by then is
 * taken for the end, and the connection kept open, on which the rest is waited for. So many turns later the head has gone out.
 */
const TURNS = 5

/** Servers print what breaks a body. Of what was ordered one line is enough, so it has no stack. */
function cutOff(): Error {
  const error = new TypeError('the connection was cut off, as it was ordered')
  delete error.stack
  return error
}

/** A JSON reply with the right members and the wrong values; of another reply, JSON that nobody asked for. */
async function distortReply(reply: Response): Promise<Response> {
  const isJson = reply.headers.get('content-type')?.includes('json') === true
  const value: unknown = isJson ? await reply.json() : undefined
  return Response.json(typeof value === 'object' && value !== null ? distortValue(value) : ['unexpected'], {
    status: reply.status
  })
}

/** Truth values stay: some providers say by one whether there was an error. */
function distortValue(value: object): unknown {
  if (Array.isArray(value)) return { unexpected: value.length }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, typeof member === 'boolean' ? member : { unexpected: true }])
  )
}

const PADDING = new Uint8Array(64 * 1024).fill(0x20)

/** A reply with `bytes` bytes of white space before it, which JSON allows. */
async function padReply(reply: Response, bytes: number): Promise<Response> {
  const whole = new Uint8Array(await reply.arrayBuffer())
  let left = bytes
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left <= 0) {
        controller.enqueue(whole)
        controller.close()
        return
      }
      controller.enqueue(PADDING.slice(0, Math.min(left, PADDING.length)))
      left -= PADDING.length
    }
  })
  const headers = new Headers(reply.headers)
  headers.delete('content-length')
  return new Response(body, { status: reply.status, headers })
}
