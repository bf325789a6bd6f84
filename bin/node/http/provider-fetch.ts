import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Dispatcher, EnvHttpProxyAgent } from 'undici'
import { Fault } from '../../../src/contract/faults.ts'
import type { Fetch } from '../../../src/ports.ts'
import { webStream } from './web-stream.ts'

export type ProviderFetchOptions = {
  /** Reports whether an address may be connected to; by default all may. Checks the exact address that is used. */
  isAllowed?: (address: string) => boolean
  /** The `code` of the error for a refused address. */
  refusedCode?: string
  /** Resolves names to addresses; by default as the system does. */
  lookup?: LookupFunction
  /** The proxies of requests; by default none. */
  proxies?: Proxies
}

/** Addresses of proxies for http and https, and the hosts that need none, separated by commas. */
export type Proxies = { httpProxy: string; httpsProxy: string; noProxy: string }

/**
 * Reads `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, or the same in lower case, which win. This machine is always reached
 * without a proxy.
 *
 * @throws Fault `usage` if a proxy is not an http or https address. The message leaves its value out, because it may
 * contain a password.
 */
export function readProxies(environment: Readonly<Record<string, string | undefined>>): Proxies {
  const read = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? ''
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY']) {
    const value = read(name)
    if (value !== '' && !/^https?:$/.test(URL.parse(value)?.protocol ?? ''))
      throw new Fault('usage', `${name} is not the address of a proxy: expected http://HOST:PORT`, {
        hint: `export ${name}=http://proxy.example:3128, or unset it`
      })
  }
  const noProxy = read('NO_PROXY').trim()
  return {
    httpProxy: read('HTTP_PROXY'),
    httpsProxy: read('HTTPS_PROXY'),
    noProxy: noProxy === '*' ? noProxy : [noProxy, 'localhost', '127.0.0.1', '[::1]'].join(',')
  }
}

const NO_PROXIES: Proxies = { httpProxy: '', httpsProxy: '', noProxy: '*' }

export type ProviderFetch = {
  fetch: Fetch
  /** Closes persistent connections. */
  close(): Promise<void>
}

/**
 * Creates a fetch for providers over an undici pool. It does not follow redirects, accepts compressed replies, and
 * streams their bodies. Rejects with the system's error if there is no reply. One that breaks off is an error of its
 * body. The first call loads undici.
 *
 * A proxy resolves names itself, so with one a name must also be allowed as this machine resolves it.
 */
export function providerFetch(options: ProviderFetchOptions = {}): ProviderFetch {
  let pool: Promise<EnvHttpProxyAgent> | undefined
  const guard = createGuard(options)
  return {
    async fetch(request) {
      request.signal.throwIfAborted()
      await guard(new URL(request.url))
      pool ??= openPool(options)
      return toResponse(await send(await pool, request), request.method)
    },
    async close() {
      // The caller of `fetch` got the error of a pool that could not be opened.
      const open = await pool?.catch(() => undefined)
      await open?.destroy()
    }
  }
}

/** Milliseconds for establishing a connection, for the head of a reply, and for a pause of a body. */
const CONNECT_MS = 10_000
const HEAD_MS = 60_000
const PAUSE_MS = 60_000

/** Per origin. */
const CONNECTIONS_MAX = 32

const KEEP_MS = 4000

async function openPool(options: ProviderFetchOptions): Promise<EnvHttpProxyAgent> {
  // In the bundle, a CommonJS package has its names only on its default export.
  const { EnvHttpProxyAgent, buildConnector } = (await import('undici')).default
  const { isAllowed } = options
  const lookup = isAllowed === undefined ? options.lookup : guardLookup(options, isAllowed)
  const connect = buildConnector({ timeout: CONNECT_MS, ...(lookup && { lookup }) })
  return new EnvHttpProxyAgent({
    ...(options.proxies ?? NO_PROXIES),
    proxyTls: { timeout: CONNECT_MS },
    connections: CONNECTIONS_MAX,
    headersTimeout: HEAD_MS,
    bodyTimeout: PAUSE_MS,
    keepAliveTimeout: KEEP_MS,
    connect(given, callback) {
      // An IP address is not looked up.
      const bare = given.hostname.replace(/^\[(.*)\]$/, '$1')
      if (isIP(bare) !== 0 && isAllowed?.(bare) === false) callback(refusal(options, bare), null)
      else connect(given, callback)
    }
  })
}

/** Creates a check of targets that applies if a proxy may connect to them: it does not use the guarded lookup. */
function createGuard(options: ProviderFetchOptions): (url: URL) => Promise<void> {
  const { isAllowed, proxies = NO_PROXIES } = options
  const isDirect = proxies.httpProxy === '' && proxies.httpsProxy === ''
  if (isAllowed === undefined || isDirect) return async () => undefined
  const lookup = guardLookup(options, isAllowed)
  return async ({ hostname }) => {
    const bare = hostname.replace(/^\[(.*)\]$/, '$1')
    if (isIP(bare) !== 0) {
      if (!isAllowed(bare)) throw refusal(options, bare)
    } else
      await new Promise<void>((resolve, reject) => {
        lookup(bare, { all: true }, (error) => (error ? reject(error) : resolve()))
      })
  }
}

/** Requires all addresses of a name to be allowed, because any of them may be used. */
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
  return Object.assign(new Error(`connections to ${address} are not allowed`), { code: refusedCode })
}

async function send(dispatcher: Dispatcher, request: Request): Promise<Dispatcher.ResponseData> {
  const url = new URL(request.url)
  const body = request.body === null ? null : Buffer.from(await request.arrayBuffer())
  return await dispatcher.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    // The method of a Request is always valid.
    method: request.method as Dispatcher.HttpMethod,
    headers: { 'user-agent': 'memctl', 'accept-encoding': 'gzip, deflate, br', ...Object.fromEntries(request.headers) },
    body,
    signal: request.signal
  })
}

/** Statuses without a body. The platform's Response does not accept one for them. */
const EMPTY = new Set([204, 205, 304])

function toResponse({ statusCode: status, headers: given, body }: Dispatcher.ResponseData, method: string): Response {
  const headers = toHeaders(given)
  if (status < 200 || status > 599) {
    body.on('error', () => undefined).destroy()
    throw Object.assign(new Error(`invalid status ${status}: expected 200 to 599`), { code: 'EBADSTATUS' })
  }
  if (method === 'HEAD' || EMPTY.has(status)) {
    // An unexpected body is drained, so that the connection can be reused.
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

/** Returns the decompressed body and adjusts the headers. An unknown encoding is left to the reader. */
function decompress(body: Readable, headers: Headers): Readable {
  const decoder = DECODERS[headers.get('content-encoding')?.trim().toLowerCase() ?? '']
  if (decoder === undefined) return body
  headers.delete('content-encoding')
  headers.delete('content-length')
  // An error appears in the stream that is read.
  return pipeline(body, decoder(), () => undefined) as unknown as Readable
}
