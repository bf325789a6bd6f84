import { Buffer } from 'node:buffer'
import type { Clock, Fetch } from '../../../src/ports.ts'
import { createPacedFetch, type Pace } from '../../providers/http/create-paced-fetch.ts'
import type { OAuthFacts } from '../../providers/port/provider.ts'
import { bearerFetch, isBelow } from './bearer-fetch.ts'
import type { CredentialAccess } from './load-access.ts'
import type { TokenKeeper } from './token-keeper.ts'

type AuthorizedParts = { keeper: TokenKeeper; paces: Paces; clock: Clock }

/**
 * Creates a fetch that adds the access token of a credential. The token is renewed before it expires and once after it
 * is refused; the request is then repeated if its body could be kept. After a 429, nothing is sent before the time that
 * the provider demands.
 */
export function createAuthorizedFetch({ keeper, paces, clock }: AuthorizedParts, credentialId: string): Fetch {
  return async (request) => {
    const { signal } = request
    const access = await keeper.access(credentialId, { signal })
    const { next, again } = await repeatableRequest(request)
    const { response, isRefused } = await send(access, next)
    if (!isRefused) return response
    const renewed = await keeper.access(credentialId, { refused: access.tokens, signal })
    if (again === undefined) return response
    await response.body?.cancel()
    return (await send(renewed, again())).response
  }

  async function send({ enabled, tokens }: CredentialAccess, request: Request): Promise<Judged> {
    const bearer = bearerFetch(enabled, tokens.accessToken)
    // A reply of another host says nothing about the token or the rate limits of the API.
    if (!isBelow(request.url, enabled.apiUrl)) return { response: await bearer(request), isRefused: false }
    const { paceBy } = enabled.provider.facts
    const response = await createPacedFetch(bearer, { clock, pace: paces.of(credentialId), paceBy })(request)
    return await judgeReply(response, enabled.oauth)
  }
}

/** The largest body that is kept for a second attempt, in bytes. */
const KEPT_BYTES_MAX = 1024 * 1024

/** A request and a way to repeat it. `again` is undefined if the body is too large to be kept. */
type RepeatableRequest = { next: Request; again: (() => Request) | undefined }

/** Prepares a request so that it can be sent twice. A request whose body is a stream cannot. */
async function repeatableRequest(request: Request): Promise<RepeatableRequest> {
  if (request.body === null) return { next: request, again: () => new Request(request) }
  const start = await readStart(request.body, KEPT_BYTES_MAX)
  if (start.rest !== undefined) return { next: withBody(request, joinBody(start)), again: undefined }
  const body = Buffer.concat(start.pieces)
  const make = (): Request => withBody(request, body)
  return { next: make(), again: make }
}

function withBody(request: Request, body: Bytes | ReadableStream<Bytes>): Request {
  const { url, method, headers, signal, redirect } = request
  const init = { method, headers, signal, redirect, body, duplex: 'half' as const }
  return new Request(url, init)
}

/** A reply, and whether it refuses the access token. */
type Judged = { response: Response; isRefused: boolean }

/** The largest reply that can be a refusal, in bytes. A refusal contains little more than a code. */
const REFUSAL_BYTES_MAX = 2048

/**
 * Returns whether a reply refuses the access token, by status 401 (RFC 6750 section 3.1) or in a JSON body with status
 * 200, as some providers do. For these, a short JSON reply is read first; the returned response still has its whole
 * body.
 */
async function judgeReply(
  response: Response,
  { tokenRefusals = [] }: Pick<OAuthFacts, 'tokenRefusals'>
): Promise<Judged> {
  const { status, headers, body } = response
  if (status === 401) return { response, isRefused: true }
  const isJson = headers.get('content-type')?.includes('json') ?? false
  const isLong = Number(headers.get('content-length') ?? 0) > REFUSAL_BYTES_MAX
  if (tokenRefusals.length === 0 || status !== 200 || !isJson || isLong || body === null)
    return { response, isRefused: false }
  const start = await readStart(body, REFUSAL_BYTES_MAX)
  const error = start.rest === undefined ? errorIn(Buffer.concat(start.pieces)) : undefined
  return {
    response: new Response(joinBody(start), { status, headers }),
    isRefused: error !== undefined && tokenRefusals.includes(error)
  }
}

/** Returns the error code of a refusal, or undefined for any other reply. */
function errorIn(bytes: Buffer): string | undefined {
  try {
    const { ok, error } = JSON.parse(bytes.toString()) as { ok?: unknown; error?: unknown }
    return ok === false && typeof error === 'string' ? error : undefined
  } catch {
    return undefined
  }
}

type Bytes = Uint8Array<ArrayBuffer>

/** The part of a body that was read, and the reader of the rest. Without a reader, the body is complete. */
type BodyStart = { pieces: Bytes[]; rest: ReadableStreamDefaultReader<Bytes> | undefined }

/** Reads a body until it ends or more than `bytesMax` of it have arrived. */
async function readStart(body: ReadableStream<Uint8Array>, bytesMax: number): Promise<BodyStart> {
  const rest = body.getReader() as ReadableStreamDefaultReader<Bytes>
  const pieces: Bytes[] = []
  let bytes = 0
  while (bytes <= bytesMax) {
    const { done, value } = await rest.read()
    if (done) return { pieces, rest: undefined }
    pieces.push(value)
    bytes += value.length
  }
  return { pieces, rest }
}

/** Rebuilds the whole body from the part already read and the rest. */
function joinBody({ pieces, rest }: BodyStart): ReadableStream<Bytes> {
  const left = [...pieces]
  return new ReadableStream({
    async pull(controller) {
      const piece = left.shift()
      if (piece) return controller.enqueue(piece)
      const { done, value } = (await rest?.read()) ?? { done: true, value: undefined }
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async (reason) => await rest?.cancel(reason)
  })
}

/** The rate limits that each provider applies to a credential, as this node has learned them. */
type Paces = {
  of(credentialId: string): Pace
  forget(credentialId: string): void
}

/** The number of credentials whose pace is kept. The least recently used ones are dropped. */
const KEPT_MAX = 1000

/** Creates a store with a pace for each credential, in memory. A node learns the pace from the provider's refusals. */
export function createPaces(): Paces {
  const kept = new Map<string, Pace>()
  return {
    of(credentialId) {
      const pace: Pace = kept.get(credentialId) ?? new Map()
      // Moves the entry to the end, so that the map is ordered by last use.
      kept.delete(credentialId)
      kept.set(credentialId, pace)
      const [oldest] = kept.keys()
      if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest)
      return pace
    },
    forget: (credentialId) => void kept.delete(credentialId)
  }
}
