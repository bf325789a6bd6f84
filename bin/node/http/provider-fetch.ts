import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Agent, Dispatcher } from 'undici'
import type { Fetch } from '../../../src/ports.ts'
import { webStream } from './web-stream.ts'

export type ProviderFetchOptions = {
  /** Which addresses may be connected to; all where it is absent. Asked of the very address that is connected to. */
  isAllowed?: (address: string) => boolean
  /** What an error is called, by its `code`, where one is not allowed. */
  refusedCode?: string
  /** How names become addresses; the system's way where it is absent. */
  lookup?: LookupFunction
}

export type ProviderFetch = {
  fetch: Fetch
  /** Ends kept connections. */
  close(): Promise<void>
}

/**
 * A fetch over a pool of undici, for providers: follows no redirect, takes compressed replies, and streams their bodies. Rejects
 * with the system's error where there is no reply; one that breaks off is an error of its body. Undici is loaded by the
 * first call.
 */
export function providerFetch(options: ProviderFetchOptions = {}): ProviderFetch {
  let pool: Promise<Agent> | undefined
  return {
    async fetch(request) {
      request.signal.throwIfAborted()
      pool ??= openPool(options)
      return toResponse(await send(await pool, request), request.method)
    },
    async close() {
      // One that could not be opened was told to whoever asked.
      const open = await pool?.catch(() => undefined)
      await open?.destroy()
    }
  }
}

/** Milliseconds: for a connection to be made; for the head of a reply; in which a body may pause. */
const CONNECT_MS = 10_000
const HEAD_MS = 60_000
const PAUSE_MS = 60_000

/** To one origin. */
const CONNECTIONS_MAX = 32

const KEEP_MS = 4000

async function openPool(options: ProviderFetchOptions): Promise<Agent> {
  // Bundled, a package of CommonJS has its names on its default export only.
  const { Agent, buildConnector } = (await import('undici')).default
  const { isAllowed } = options
  const lookup = isAllowed === undefined ? options.lookup : guardLookup(options, isAllowed)
  const connect = buildConnector({ timeout: CONNECT_MS, ...(lookup && { lookup }) })
  return new Agent({
    connections: CONNECTIONS_MAX,
    headersTimeout: HEAD_MS,
    bodyTimeout: PAUSE_MS,
    keepAliveTimeout: KEEP_MS,
    connect(given, callback) {
      // An address in place of a name is not looked up.
      const bare = given.hostname.replace(/^\[(.*)\]$/, '$1')
      if (isIP(bare) !== 0 && isAllowed?.(bare) === false) callback(refusal(options, bare), null)
      else connect(given, callback)
    }
  })
}

/** All addresses of a name have to be allowed: which of them is connected to is chance. */
function guardLookup(options: ProviderFetchOptions, isAllowed: (address: string) => boolean): LookupFunction {
  const { lookup = systemLookup as LookupFunction } = options
  return (hostname, asked, callback) =>
    lookup(hostname, asked, (error, found, family) => {
      if (error) return callback(error, found, family)
      const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address)
      const wrong = addresses.find((address) => !isAllowed(address))
      if (wrong === undefined && addresses.length > 0) callback(null, found, family)
      else callback(refusal(options, wrong ?? hostname), found, family)
    })
}

function refusal({ refusedCode = 'EACCES' }: ProviderFetchOptions, address: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${address} may not be connected to`), { code: refusedCode })
}

async function send(dispatcher: Dispatcher, request: Request): Promise<Dispatcher.ResponseData> {
  const url = new URL(request.url)
  const body = request.body === null ? null : Buffer.from(await request.arrayBuffer())
  return await dispatcher.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    // Whatever a Request has as its method is one.
    method: request.method as Dispatcher.HttpMethod,
    headers: { 'user-agent': 'memctl', 'accept-encoding': 'gzip, deflate, br', ...Object.fromEntries(request.headers) },
    body,
    signal: request.signal
  })
}

/** Statuses that come without a body, for which the platform's Response takes none. */
const EMPTY = new Set([204, 205, 304])

function toResponse({ statusCode: status, headers: given, body }: Dispatcher.ResponseData, method: string): Response {
  const headers = toHeaders(given)
  if (status < 200 || status > 599) {
    body.on('error', () => undefined).destroy()
    throw Object.assign(new Error(`the status ${status} is none`), { code: 'EBADSTATUS' })
  }
  if (method === 'HEAD' || EMPTY.has(status)) {
    // What comes nevertheless is read away, so that the connection is of use again.
    body.on('error', () => undefined).resume()
    return new Response(null, { status, headers })
  }
  const plain = decompress(body, headers)
  return new Response(webStream(plain), { status, headers })
}

function toHeaders(given: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one)
  return headers
}

const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress
}

/** The body as it was before it was compressed, and headers that fit it. An unknown way is left to who reads it. */
function decompress(body: Readable, headers: Headers): Readable {
  const decoder = DECODERS[headers.get('content-encoding')?.trim().toLowerCase() ?? '']
  if (decoder === undefined) return body
  headers.delete('content-encoding')
  headers.delete('content-length')
  // What breaks off shows in the stream that is read.
  return pipeline(body, decoder(), () => undefined) as unknown as Readable
}
