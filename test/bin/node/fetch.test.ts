import http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { nodeExchange, nodeFetch } from '../../../bin/node/http/node-fetch.ts'

type Arrived = { headers: http.IncomingHttpHeaders; body: string }

/** Runs a server for one test that answers requests as given and records them. */
async function serving(
  answer: (response: http.ServerResponse, request: http.IncomingMessage, arrived: Arrived) => void,
  work: (origin: string, arrived: Arrived[], server: http.Server) => Promise<void>
): Promise<void> {
  const arrived: Arrived[] = []
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const one = { headers: request.headers, body: Buffer.concat(chunks).toString() }
    arrived.push(one)
    answer(response, request, one)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrived, server)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

test('returns status, headers and body', async () => {
  const answer = (response: http.ServerResponse) => response.writeHead(418, { 'x-a': ['1', '2'] }).end('short')
  await serving(answer, async (origin) => {
    const response = await nodeFetch(new Request(origin))
    expect(response.status).toBe(418)
    expect(response.headers.get('x-a')).toBe('1, 2')
    expect(await response.text()).toBe('short')
  })
})

test('returns status, headers and body as plain values without platform classes', async () => {
  const answer = (response: http.ServerResponse) => response.writeHead(418, { 'X-A': ['1', '2'] }).end('short')
  await serving(answer, async (url, arrived) => {
    const body = Buffer.from('é')
    const { status, headers, ...reply } = await nodeExchange({ url, method: 'POST', headers: { 'x-b': '3' }, body })
    expect([status, headers.get('x-a'), headers.get('X-A'), headers.get('x-none')]).toEqual([418, '1, 2', '1, 2', null])
    expect(await text(reply.body)).toBe('short')
    expect(arrived[0]).toMatchObject({ body: 'é', headers: { 'content-length': '2', 'x-b': '3' } })
  })
})

test('reports a plain reply that breaks off or is aborted as an error of its body', async () => {
  const control = new AbortController()
  await serving(
    (response, request) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => (request.url === '/cut' ? response.destroy() : undefined))
    },
    async (url) => {
      const cut = await nodeExchange({ url: `${url}/cut`, method: 'GET', headers: {} })
      await expect(text(cut.body)).rejects.toThrow()
      const slow = await nodeExchange({ url, method: 'GET', headers: {}, signal: control.signal })
      control.abort()
      await expect(text(slow.body)).rejects.toMatchObject({ name: 'AbortError' })
    }
  )
})

test('sends a text with its length, so that a server can refuse it unread', async () => {
  await serving(
    (response) => response.end(),
    async (origin, arrived) => {
      await nodeFetch(new Request(origin, { method: 'POST', body: 'é' }))
      expect(arrived[0]).toMatchObject({ body: 'é', headers: { 'content-length': '2' } })
      await nodeFetch(new Request(origin, { method: 'POST' }))
      expect(arrived[1]?.headers['content-length']).toBe('0')
      await nodeFetch(new Request(origin))
      expect(arrived[2]?.headers).not.toHaveProperty('content-length')
    }
  )
})

test('streams a body completely', async () => {
  await serving(
    (response, _request, { body }) => response.end(String(body.length)),
    async (origin, arrived) => {
      const body = ReadableStream.from(chunks(100, 10_000))
      const response = await nodeFetch(new Request(origin, { method: 'POST', body, duplex: 'half' }))
      expect(await response.text()).toBe('1000000')
      expect(arrived[0]?.headers['transfer-encoding']).toBe('chunked')
    }
  )
})

test('does not complete a request whose body breaks off', async () => {
  await serving(
    (response) => response.end(),
    async (origin, arrived) => {
      const body = ReadableStream.from(broken())
      await expect(nodeFetch(new Request(origin, { method: 'POST', body, duplex: 'half' }))).rejects.toThrow('source')
      expect(arrived).toEqual([])
    }
  )
})

test.each([204, 304])('returns no body for a reply with %i', async (status) => {
  await serving(
    (response) => response.writeHead(status).end(),
    async (origin) => {
      expect((await nodeFetch(new Request(origin))).body).toBeNull()
    }
  )
})

test('keeps connections, and hides one that the server closed meanwhile', async () => {
  const sockets = new Set<Socket>()
  await serving(
    (response, request) => {
      sockets.add(request.socket)
      response.end('x')
    },
    async (origin) => {
      await (await nodeFetch(new Request(origin))).text()
      await (await nodeFetch(new Request(origin))).text()
      expect(sockets.size).toBe(1)
      for (const socket of sockets) socket.resetAndDestroy()
      expect(await (await nodeFetch(new Request(origin))).text()).toBe('x')
    }
  )
})

test('ignores a connection that breaks after an early reply to a large body', async () => {
  const uncaught: Error[] = []
  const note = (error: Error): void => void uncaught.push(error)
  process.on('uncaughtExceptionMonitor', note)
  const answer = 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\nwrong'
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => socket.pause().write(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const body = new Uint8Array(32 * 1024 * 1024)
    for (const sent of [body, ReadableStream.from([body.subarray(0, 1 << 24), body.subarray(1 << 24)])]) {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const response = await nodeFetch(new Request(url, { method: 'POST', body: sent, duplex: 'half' }))
      expect([response.status, await response.text()]).toEqual([401, 'wrong'])
      for (const socket of sockets) socket.destroySoon()
      for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
    expect(uncaught).toEqual([])
  } finally {
    process.off('uncaughtExceptionMonitor', note)
    await new Promise((resolve) => server.close(resolve))
  }
})

test('rejects with the system’s error if nothing listens', async () => {
  const free = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
  await expect(nodeFetch(new Request(`http://127.0.0.1:${free}`))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('reports a body that breaks off as an error of its stream', async () => {
  await serving(
    (response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => response.destroy())
    },
    async (origin) => {
      const response = await nodeFetch(new Request(origin))
      await expect(response.text()).rejects.toThrow()
    }
  )
})

test('ends a call when aborted before, during and after the start of the reply', async () => {
  let begin: () => void = () => undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  await serving(
    (response) => {
      response.write('beginning')
      begin()
    },
    async (origin) => {
      await expect(nodeFetch(new Request(origin, { signal: AbortSignal.abort('SIGINT') }))).rejects.toMatchObject({
        name: 'AbortError'
      })
      const control = new AbortController()
      const response = await nodeFetch(new Request(origin, { signal: control.signal }))
      await begun
      control.abort('SIGINT')
      await expect(response.text()).rejects.toMatchObject({ name: 'AbortError' })
    }
  )
  await serving(
    () => undefined,
    async (origin, _arrived, server) => {
      const control = new AbortController()
      server.once('request', () => control.abort('SIGINT'))
      await expect(nodeFetch(new Request(origin, { signal: control.signal }))).rejects.toMatchObject({
        name: 'AbortError'
      })
    }
  )
})

test('receives a reply that arrives before the body was read', async () => {
  const server = http.createServer((_request, response) => {
    response.writeHead(413, { connection: 'close' }).end('too large')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const body = ReadableStream.from(chunks(200, 50_000))
  const response = await nodeFetch(new Request(origin, { method: 'POST', body, duplex: 'half' }))
  expect(response.status).toBe(413)
  expect(await response.text()).toBe('too large')
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function text(body: AsyncIterable<Uint8Array> | null | undefined): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of body ?? []) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

async function* chunks(count: number, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < count; at++) yield new Uint8Array(size).fill(120)
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield* chunks(3, 10)
  throw new Error('the source broke')
}
