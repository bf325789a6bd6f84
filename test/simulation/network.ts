import type { Service } from '../../server/service/start-service.ts'
import type { Fetch } from '../../src/ports.ts'
import type { ArmedFaults, LineEffect } from './faults.ts'
import { ORIGIN, type SimulatedNode } from './node.ts'
import type { Life, Scheduler } from './scheduler.ts'

/** The delay of a slow connection, and the time after which a client or the host of a node closes a silent one, in ms. */
const SLOW_MS = 20_000
const SILENT_MS = 45_000

/** The reply to a client. Undefined if the client does not know whether its request took effect. */
export type ClientReply = { status: number; text: string; retryAfter: number | undefined } | undefined

export type ClientRequest = {
  method: string
  path: string
  key: string | undefined
  json?: unknown
  form?: string
  headers?: Readonly<Record<string, string>>
}

type Line = { scheduler: Scheduler; faults: ArmedFaults }

/** The network from a node to the providers. */
export function createProviderLine(line: Line & { complaints: string[] }, sandbox: Fetch, life: Life): Fetch {
  const { scheduler, faults } = line
  const pace = watchPace(line)
  return async (request) => {
    const { pathname } = new URL(request.url)
    pace.sent(request)
    const name = `${life.name} ${request.method} ${pathname.slice(0, 60)}`
    const copy = await createCopier(request)
    const effect = faults.takeProviderCall(life.name)
    if (effect !== undefined) scheduler.note(`${effect}: ${name}`)
    // A sent request arrives even if its sender crashes meanwhile.
    await scheduler.hop(`${name} >`, undefined, 20)
    if (effect === 'reset_before') throw lineError()
    if (effect === 'slow') await scheduler.pause(`${name} slow`, SLOW_MS)
    if (effect === 'twice')
      await sandbox(copy())
        .then((reply) => reply.arrayBuffer())
        .catch(() => undefined)
    const reply = await sandbox(copy())
    // Does not listen to the signal: whether a chain of Requests passes it on depends on garbage collection.
    if (effect === 'half_open' || effect === 'left') return await never()
    await scheduler.hop(`${name} <`, life, 20)
    if (effect === 'reset_after') throw lineError()
    pace.received(request, reply)
    return reply
  }
}

/** Reports a request with a token to a path that is sent before the end of the wait demanded with a 429. */
function watchPace({ scheduler, complaints }: { scheduler: Scheduler; complaints: string[] }) {
  const pauses = new Map<string, number>()
  // Requests for tokens have no token yet. They belong to different grants, each with its own limit.
  const hasToken = ({ headers }: Request): boolean => headers.get('authorization')?.startsWith('Bearer') === true
  const toKey = ({ url, headers }: Request): string => `${headers.get('authorization')} ${new URL(url).pathname}`
  return {
    sent(request: Request): void {
      const early = (pauses.get(toKey(request)) ?? 0) - scheduler.now()
      if (early > 0 && hasToken(request))
        complaints.push(`${request.url} was asked ${early} ms earlier than the provider demanded`)
    },
    received(request: Request, { status, headers }: Response): void {
      const until = scheduler.now() + 1000 * Number(status === 429 ? headers.get('retry-after') : 0)
      pauses.set(toKey(request), Math.max(pauses.get(toKey(request)) ?? 0, until))
    }
  }
}

/** Returns a function that creates the same request each time, without the signal of its sender. */
async function createCopier(request: Request): Promise<() => Request> {
  const { url, method } = request
  const headers = [...request.headers] as [string, string][]
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer())
  return () => new Request(url, { method, headers, ...(body !== undefined && { body: body.slice() }) })
}

function lineError(): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) })
}

function never(): Promise<never> {
  return new Promise(() => undefined)
}

export type ClientLine = Line & { client: number; node(): SimulatedNode | undefined }

/** Sends a request of a client to a node, and reads the reply in parts, as the host of a node writes it. */
export async function sendToNode(line: ClientLine, request: ClientRequest): Promise<ClientReply> {
  const { scheduler, faults, client } = line
  const name = `c${client} ${request.method} ${request.path.slice(0, 70)}`
  const effect = faults.takeClientCall(client)
  if (effect !== undefined) scheduler.note(`${effect}: ${name}`)
  await scheduler.hop(`${name} >`)
  const node = line.node()
  if (node === undefined || effect === 'reset_before') return undefined
  if (effect === 'slow') await scheduler.pause(`${name} slow`, SLOW_MS)
  if (effect === 'twice') void exchange(line, { node, request, name: `${name} again`, effect: undefined })
  const lost = scheduler.pause(`${name} timeout`, SILENT_MS).then(() => undefined)
  const reply = await Promise.race([exchange(line, { node, request, name, effect }), lost])
  scheduler.note(`${name} = ${reply?.status ?? 'unknown'}`)
  return effect === 'reset_after' || effect === 'half_open' ? undefined : reply
}

type Exchange = { node: SimulatedNode; request: ClientRequest; name: string; effect: LineEffect | undefined }

/** Plays the host: passes the request on, writes the reply, and tells the server how the connection ended. */
async function exchange(line: ClientLine, { node, request, name, effect }: Exchange): Promise<ClientReply> {
  const { scheduler } = line
  const connection = new AbortController()
  let settle = (_whole: boolean): void => undefined
  const sent = new Promise<boolean>((resolve) => {
    settle = resolve
  })
  const close = (): void => {
    if (!node.life.isAlive) return
    connection.abort(new Error('the connection closed'))
    settle(false)
  }
  if (effect === 'left')
    scheduler.after({ name: `${name} leaves`, ms: scheduler.chance.next('leave').number(60), life: node.life }, close)
  const response = await serve(node.service, toRequest(request, connection.signal), sent)
  if (response === undefined) return undefined
  if (effect === 'half_open') {
    scheduler.after({ name: `${name} silent`, ms: SILENT_MS, life: node.life }, close)
    return undefined
  }
  await scheduler.hop(`${name} head`, node.life)
  const leavesAfter = effect === 'reset_after' ? scheduler.chance.next('leave').number(3) : Number.POSITIVE_INFINITY
  const text = await readParts(line, {
    response,
    name,
    life: node.life,
    leavesAfter,
    isClosed: () => connection.signal.aborted
  })
  if (text === undefined) {
    close()
    return undefined
  }
  settle(true)
  const retryAfter = response.headers.get('retry-after')
  return { status: response.status, text, retryAfter: retryAfter === null ? undefined : Number(retryAfter) }
}

async function serve(service: Service, request: Request, sent: Promise<boolean>): Promise<Response | undefined> {
  try {
    return await service.fetch(request, { address: '127.0.0.1', sent })
  } catch (error) {
    // The app rejects with the reason of the signal: the client has left, so there is no reply to send.
    if (request.signal.aborted) return undefined
    throw error
  }
}

type Reading = { response: Response; name: string; life: Life; leavesAfter: number; isClosed(): boolean }

/** Reads a body in parts. Returns undefined if the connection broke or the reader left before its end. */
async function readParts({ scheduler }: Line, reading: Reading): Promise<string | undefined> {
  const { response, name, life, leavesAfter, isClosed } = reading
  const reader = response.body?.getReader()
  const parts: Uint8Array[] = []
  for (let count = 0; reader !== undefined; count += 1) {
    if (isClosed() || count >= leavesAfter) {
      reader.cancel(new Error('the reader left')).catch(() => undefined)
      return undefined
    }
    const part = await reader.read().catch(() => undefined)
    if (part === undefined) return undefined
    if (part.done) break
    parts.push(part.value)
    await scheduler.hop(`${name} part`, life, 3)
  }
  return Buffer.concat(parts).toString()
}

function toRequest({ method, path, key, json, form, headers }: ClientRequest, signal: AbortSignal): Request {
  const body = form ?? (json === undefined ? undefined : JSON.stringify(json))
  const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
  return new Request(`${ORIGIN}${path}`, {
    method,
    headers: {
      host: new URL(ORIGIN).host,
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': type }),
      ...headers
    },
    signal,
    ...(body !== undefined && { body })
  })
}
