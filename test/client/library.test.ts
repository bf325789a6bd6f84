import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createClient } from '../../bin/client.ts'

test('a program gets a client that works over Node’s own HTTP, and faults that have a code', async () => {
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
