import type { lookup } from 'node:dns'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { Server as ProxyServer } from 'proxy-chain'
import { expect, onTestFinished, test } from 'vitest'
import { type ProviderFetchOptions, providerFetch, readProxies } from '../../../bin/node/http/provider-fetch.ts'

/** Creates a loopback server that answers as the test says, and a fetch that is closed with it. */
async function serving(answer: RequestListener, options: ProviderFetchOptions = {}) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const provider = providerFetch(options)
  onTestFinished(async () => {
    await provider.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { port, origin: `http://127.0.0.1:${port}`, fetch: provider.fetch }
}

const codeOf = (error: unknown): unknown => {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  return code ?? (cause === undefined ? undefined : codeOf(cause))
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => 'no failure',
    (error: unknown) => codeOf(error) ?? (error as Error).name
  )

test('sends method, path, headers and body unchanged, and returns the reply', async () => {
  const { origin, fetch } = await serving(async (incoming, outgoing) => {
    const pieces: Buffer[] = []
    for await (const piece of incoming) pieces.push(piece)
    const { method, url, headers } = incoming
    outgoing.writeHead(418, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] })
    outgoing.end(JSON.stringify({ method, url, headers, body: Buffer.concat(pieces).toString() }))
  })
  const response = await fetch(
    new Request(`${origin}/a%2Fb?x=%20`, { method: 'POST', body: 'é', headers: { authorization: 'Bearer t' } })
  )
  expect([response.status, response.headers.getSetCookie()]).toEqual([418, ['a=1', 'b=2']])
  expect(await response.json()).toMatchObject({
    method: 'POST',
    url: '/a%2Fb?x=%20',
    headers: { authorization: 'Bearer t', 'content-length': '2', 'user-agent': 'memctl' },
    body: 'é'
  })
})

test.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync]
])('decompresses a reply with %s', async (encoding, compress) => {
  const text = 'ever the same '.repeat(10_000)
  const { origin, fetch } = await serving((_, outgoing) => {
    const bytes = compress(text)
    outgoing.writeHead(200, { 'content-encoding': encoding, 'content-length': bytes.length })
    outgoing.end(bytes)
  })
  const response = await fetch(new Request(origin))
  expect(await response.text()).toBe(text)
  expect([response.headers.get('content-encoding'), response.headers.get('content-length')]).toEqual([null, null])
})

test('follows no redirects', async () => {
  const { origin, fetch } = await serving((_, outgoing) => {
    outgoing.writeHead(302, { location: '/elsewhere' }).end()
  })
  const response = await fetch(new Request(origin))
  expect([response.status, response.headers.get('location')]).toEqual([302, '/elsewhere'])
})

test.each([204, 205, 304])('returns no body for a reply %i', async (status) => {
  const { origin, fetch } = await serving((_, outgoing) => void outgoing.writeHead(status).end())
  const response = await fetch(new Request(origin))
  expect([response.status, response.body]).toEqual([status, null])
  expect((await fetch(new Request(origin, { method: 'HEAD' }))).body).toBeNull()
})

test('streams a body, and closes the connection when it is cancelled', async () => {
  let closed = (_: string): void => undefined
  const gone = new Promise<string>((resolve) => {
    closed = resolve
  })
  const { origin, fetch } = await serving((_, outgoing) => {
    outgoing.on('close', () => closed('closed'))
    outgoing.write('first')
  })
  const { body } = await fetch(new Request(origin))
  const reader = body?.getReader()
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first')
  await reader?.cancel()
  expect(await gone).toBe('closed')
})

test('reports a body that breaks off, compressed or not, to its reader', async () => {
  const { origin, fetch } = await serving(({ url }, outgoing) => {
    const bytes = gzipSync('x'.repeat(1000))
    if (url === '/gzip') return void outgoing.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes.subarray(0, 10))
    outgoing.writeHead(200, { 'content-length': 100 })
    outgoing.write('half', () => outgoing.destroy())
  })
  expect(await failure((await fetch(new Request(`${origin}/gzip`))).text())).toBe('Z_BUF_ERROR')
  expect(await failure((await fetch(new Request(`${origin}/plain`))).text())).not.toBe('no failure')
})

test('rejects an aborted request immediately, before the reply and in the middle of it', async () => {
  const { origin, fetch } = await serving(({ url }, outgoing) => {
    if (url === '/begun') outgoing.write('begun')
  })
  const early = new AbortController()
  const never = fetch(new Request(`${origin}/never`, { signal: early.signal }))
  const stopped = failure(never)
  early.abort()
  expect(await stopped).toBe(20)
  const late = new AbortController()
  const response = await fetch(new Request(`${origin}/begun`, { signal: late.signal }))
  const text = failure(response.text())
  late.abort()
  expect(await text).not.toBe('no failure')
  const before = fetch(new Request(origin, { signal: AbortSignal.abort() }))
  expect(await failure(before)).toBe(20)
})

test("rejects with the system's error if nothing listens", async () => {
  const { fetch } = await serving(() => undefined)
  const gone = createServer()
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
  const { port } = gone.address() as AddressInfo
  await new Promise((resolve) => gone.close(resolve))
  expect(await failure(fetch(new Request(`http://127.0.0.1:${port}/`)))).toBe('ECONNREFUSED')
})

test('rejects an invalid status', async () => {
  const { origin, fetch } = await serving((_, outgoing) => {
    outgoing.socket?.end('HTTP/1.1 700 Odd\r\ncontent-length: 0\r\n\r\n')
  })
  expect(await failure(fetch(new Request(origin)))).toBe('EBADSTATUS')
})

/** Resolves names to the given lists in turn, the last one repeatedly. */
function leading(...lists: string[][]): LookupFunction {
  let at = 0
  return (_, asked, callback) => {
    const found = lists[Math.min(at++, lists.length - 1)] ?? []
    const family = (address: string) => (address.includes(':') ? 6 : 4)
    if (asked.all)
      callback(
        null,
        found.map((address) => ({ address, family: family(address) }))
      )
    else callback(null, found[0] ?? '', family(found[0] ?? ''))
  }
}

const REFUSING: ProviderFetchOptions = { isAllowed: (address) => address === '1.1.1.1', refusedCode: 'ENOTPUBLIC' }

test('does not connect to a forbidden address, by name or directly', async () => {
  let visits = 0
  const visited: RequestListener = (_, outgoing) => {
    visits++
    outgoing.end()
  }
  const lookup = leading(['127.0.0.1'], ['1.1.1.1', '127.0.0.1'], ['::ffff:127.0.0.1'], [])
  const { port, origin, fetch } = await serving(visited, { ...REFUSING, lookup })
  expect(await failure(fetch(new Request(origin)))).toBe('ENOTPUBLIC')
  expect(await failure(fetch(new Request(`http://[::1]:${port}`)))).toBe('ENOTPUBLIC')
  for (let times = 0; times < 4; times++)
    expect(await failure(fetch(new Request(`http://rebind.example.com:${port}/`)))).toBe('ENOTPUBLIC')
  expect(visits).toBe(0)
})

test('connects to the checked address, and checks a name again at each connection', async () => {
  const lookup = leading(['127.0.0.1'], ['10.0.0.1'])
  const options = { isAllowed: (address: string) => address === '127.0.0.1', refusedCode: 'ENOTPUBLIC', lookup }
  const { port, fetch } = await serving(
    (_, outgoing) => void outgoing.setHeader('connection', 'close').end('in'),
    options
  )
  const url = `http://rebind.example.com:${port}/`
  expect(await (await fetch(new Request(url))).text()).toBe('in')
  expect(await failure(fetch(new Request(url)))).toBe('ENOTPUBLIC')
})

test('survives many replies that are cancelled before they are read', async () => {
  const { origin, fetch } = await serving((_, outgoing) => {
    outgoing.writeHead(401, { 'content-type': 'application/json' })
    outgoing.end(JSON.stringify({ error: 'x'.repeat(100_000) }))
  })
  const leave = async (): Promise<number> => {
    const response = await fetch(new Request(origin))
    await response.body?.cancel()
    return response.status
  }
  const statuses = await Promise.all(Array.from({ length: 200 }, leave))
  expect(new Set(statuses)).toEqual(new Set([401]))
  const { body } = await fetch(new Request(origin))
  expect(await new Response(body).text()).toContain('xxx')
})

const toLoopback: LookupFunction = (_, { all }, callback) =>
  all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4)

/** Starts a forward proxy on loopback that resolves every name to this machine, and records the hosts asked for. */
async function proxying({ user }: { user?: string } = {}) {
  const asked: string[] = []
  const proxy = new ProxyServer({
    port: 0,
    host: '127.0.0.1',
    prepareRequestFunction: ({ hostname, username }) => {
      asked.push(hostname)
      return { requestAuthentication: user !== undefined && username !== user, dnsLookup: toLoopback as typeof lookup }
    }
  })
  await proxy.listen()
  onTestFinished(() => proxy.close(true))
  const authority = `${user === undefined ? '' : `${user}:hush@`}127.0.0.1:${proxy.port}`
  return { asked, address: `http://${authority}`, open: `http://127.0.0.1:${proxy.port}` }
}

test('sends requests through the proxy of the environment, with its password', async () => {
  const { asked, address } = await proxying({ user: 'ada' })
  const proxies = readProxies({ HTTP_PROXY: address })
  const { port, fetch } = await serving(({ url }, outgoing) => outgoing.end(url), { proxies })
  const response = await fetch(new Request(`http://drive.example:${port}/files?x=1`))
  expect(await response.text()).toBe('/files?x=1')
  expect(asked).toContain('drive.example')
})

test('names the refusal of a proxy that wants a password', async () => {
  const { open } = await proxying({ user: 'ada' })
  const { port, fetch } = await serving((_, outgoing) => outgoing.end(), { proxies: readProxies({ http_proxy: open }) })
  expect(await failure(fetch(new Request(`http://drive.example:${port}/`)))).toBe('UND_ERR_ABORTED')
})

test.each(['near.example', '.example', '*'])('uses no proxy for the hosts of NO_PROXY=%s', async (noProxy) => {
  const { asked, address } = await proxying()
  const proxies = readProxies({ HTTP_PROXY: address, NO_PROXY: noProxy })
  const { port, fetch } = await serving((_, outgoing) => outgoing.end('near'), { proxies, lookup: toLoopback })
  expect(await (await fetch(new Request(`http://near.example:${port}/`))).text()).toBe('near')
  expect(asked).toEqual([])
})

test('uses no proxy for this machine', async () => {
  const { asked, address } = await proxying()
  const { origin, fetch } = await serving((_, outgoing) => outgoing.end('here'), {
    proxies: readProxies({ HTTP_PROXY: address, HTTPS_PROXY: address })
  })
  expect(await (await fetch(new Request(origin))).text()).toBe('here')
  expect(asked).toEqual([])
})

test('refuses private addresses before a proxy is asked', async () => {
  const { asked, address } = await proxying()
  const lookup = ((_, __, callback) => callback(null, [{ address: '10.0.0.1', family: 4 }])) as LookupFunction
  const { port, fetch } = await serving((_, outgoing) => outgoing.end('private'), {
    proxies: readProxies({ HTTP_PROXY: address }),
    isAllowed: () => false,
    refusedCode: 'ENOTPUBLIC',
    lookup
  })
  for (const host of ['inside.example', '10.0.0.1', '[fd00::1]'])
    expect(await failure(fetch(new Request(`http://${host}:${port}/`)))).toBe('ENOTPUBLIC')
  expect(asked).toEqual([])
})

test.each(['proxy:8080', 'proxy.example', 'socks5://127.0.0.1:9', 'ftp://ada:hush@proxy.example'])(
  'refuses the proxy %s without showing it',
  (value) => {
    const read = () => readProxies({ HTTPS_PROXY: value })
    expect(read).toThrow('HTTPS_PROXY is not the address of a proxy: expected http://HOST:PORT')
  }
)
