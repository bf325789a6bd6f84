import type { Client } from '../../src/client/client.ts'
import { createClient } from '../../src/client/create-client.ts'

export const ORIGIN = 'https://memory.example'
export const KEY = 'mk_not-a-real-key'

/** A request as received. */
export type Arrived = { method: string; path: string; headers: Headers; body: string }

/**
 * Creates a client of a service that gives these answers in order, the last one repeatedly, and records the requests.
 */
export function clientOf(
  answers: readonly (Response | (() => Response | Promise<Response>))[],
  settings: Partial<Parameters<typeof createClient>[0]> = {}
): { client: Client; arrived: Arrived[] } {
  const arrived: Arrived[] = []
  const fetch = async (request: Request): Promise<Response> => {
    const answer = answers[Math.min(arrived.length, answers.length - 1)]
    const { method, headers } = request
    arrived.push({ method, path: request.url.slice(ORIGIN.length), headers, body: await request.text() })
    if (answer === undefined) throw new Error('there is no answer')
    return typeof answer === 'function' ? await answer() : answer.clone()
  }
  return { client: createClient({ fetch, origin: ORIGIN, key: KEY, ...settings }), arrived }
}

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json', ...headers } })
}

export function problem(status: number, value: object, headers: Record<string, string> = {}): Response {
  const type = { 'content-type': 'application/problem+json' }
  return new Response(JSON.stringify({ type: 'about:blank', title: 't', status, ...value }), {
    status,
    headers: { ...type, ...headers }
  })
}
