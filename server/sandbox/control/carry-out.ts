import type { Grants } from '../core/grants.ts'
import type { SandboxClock } from '../core/sandbox-clock.ts'
import type { SandboxProvider } from '../core/sandbox-provider.ts'
import type { OuterFault } from './fault-queue.ts'

type Around = {
  sandboxProvider: SandboxProvider
  grants: Grants
  clock: SandboxClock
  signal: AbortSignal
  /** Access and refresh tokens in the request. */
  tokens: readonly string[]
  /** Returns the response without the fault. */
  answer(): Promise<Response>
}

/** Answers a call with the fault that was requested for it. Rejects with the signal's reason if it is aborted. */
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

/** A captive portal, as in hotels and trains, between the program and the provider. */
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
 * Returns a response whose body breaks off after `bytes` bytes, or in the middle if it is shorter. `nextTurn` resolves
 * in the next turn of the event loop.
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
  // A truncation is detectable only if the response declares its length.
  headers.set('content-length', String(Math.max(whole.length, kept.length + 1)))
  return new Response(body, { status: reply.status, headers })
}

/**
 * The server waits for the first chunks of a body before it sends anything (@hono/node-server). It treats an error at
 * that point as the end and keeps the connection open, on which the client waits for the rest. After this many turns
 * the head was sent.
 */
const TURNS = 5

/**
 * Creates the error that breaks a body. Servers print it; it has no stack, because one line is enough for a requested
 * fault.
 */
function cutOff(): Error {
  const error = new TypeError('the sandbox cut the connection, as requested')
  delete error.stack
  return error
}

/** Returns a JSON response with the right members and wrong values. Other responses are replaced by unexpected JSON. */
async function distortReply(reply: Response): Promise<Response> {
  const isJson = reply.headers.get('content-type')?.includes('json') === true
  const value: unknown = isJson ? await reply.json() : undefined
  return Response.json(typeof value === 'object' && value !== null ? distortValue(value) : ['unexpected'], {
    status: reply.status
  })
}

/** Distorts a value. Booleans are kept, because some providers use one to report an error. */
function distortValue(value: object): unknown {
  if (Array.isArray(value)) return { unexpected: value.length }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, typeof member === 'boolean' ? member : { unexpected: true }])
  )
}

const PADDING = new Uint8Array(64 * 1024).fill(0x20)

/** Returns a response preceded by `bytes` bytes of whitespace, which JSON allows. */
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
