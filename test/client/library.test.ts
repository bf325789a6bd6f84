import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { type ClientOptions, createClient } from '../../bin/client.ts'

test('gives programs a client over Node’s own HTTP, with coded faults', async () => {
  const asked: (string | undefined)[] = []
  const server = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    const refused = request.url === '/v1/keys'
    const problem = { type: 'about:blank', title: 'Forbidden', status: 403, detail: 'not an admin', code: 'forbidden' }
    response.writeHead(refused ? 403 : 200, {
      'content-type': refused ? 'application/problem+json' : 'application/json'
    })
    response.end(JSON.stringify(refused ? problem : []))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = createClient({ origin, key: 'mk_1' })
  expect(await client.listCollections()).toEqual([])
  await expect(client.listKeys()).rejects.toMatchObject({ code: 'forbidden', message: 'not an admin', exitCode: 5 })
  expect(asked).toEqual(['GET /v1/collections Bearer mk_1', 'GET /v1/keys Bearer mk_1'])
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await expect(client.listCollections()).rejects.toMatchObject({ code: 'unreachable' })
})

test('calls a server below a path in every way', async () => {
  const asked: string[] = []
  const server = http.createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  for (const path of ['/memory', '/memory/', '/a/b']) {
    const client = createClient({ origin: `http://127.0.0.1:${port}${path}` })
    await client.listCollections()
    await client.send({ method: 'GET', path: '/v1/keys' })
    await client.stream('listCollections', {})
  }
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  const below = (path: string) => [`${path}/v1/collections`, `${path}/v1/keys`, `${path}/v1/collections`]
  expect(asked).toEqual([...below('/memory'), ...below('/memory'), ...below('/a/b')])
})

test.each([
  ['nothing', undefined],
  ['no address', {}],
  ['another name for the key', { origin: 'https://a.example', apiKey: 'mk_1' }],
  ['a key that a header cannot contain', { origin: 'https://a.example', key: 'mk_ключ' }],
  ['a key that is not a string', { origin: 'https://a.example', key: 7 }],
  ['a key of two words', { origin: 'https://a.example', key: 'mk_1 2' }],
  ['an invalid signal', { origin: 'https://a.example', signal: 1000 }],
  ['an invalid fetch', { origin: 'https://a.example', fetch: 'fetch' }]
])('refuses a client of %s immediately', (_what, options) => {
  const make = () => createClient(options as unknown as ClientOptions)
  expect(make).toThrow(expect.objectContaining({ code: 'usage', name: 'Fault' }))
  expect(make).not.toThrow(/ключ|1 2/)
})
