import { expect, test } from 'vitest'
import { createRouteTable } from '../../../server/sandbox/core/route-table.ts'
import { sandboxKit } from '../../suites/sandbox-provider-kit.ts'
import { tinySandboxProvider } from './tiny-sandbox-provider.ts'

test('prefers the matching route with the fewest parameters', () => {
  const table = createRouteTable(
    ['/files/{id}', '/files/new', '/files/{id}:copy'].map((path) => ({ method: 'GET', path }))
  )
  expect(table.find('GET', '/files/new')).toMatchObject({ route: { path: '/files/new' }, params: {} })
  expect(table.find('GET', '/files/a%2Fb')).toMatchObject({ params: { id: 'a/b' } })
  expect(table.find('GET', '/files/a/b')).toBeUndefined()
  expect(table.find('POST', '/files/new')).toBeUndefined()
  expect(table.find('GET', '/files/%ff')).toBeUndefined()
})

test("refuses an unknown path in the provider's format", async () => {
  const { sandbox } = sandboxKit([tinySandboxProvider()])
  const { apiUrl } = sandbox.provider('notes')
  for (const path of ['/nowhere', '/notes/a/b', '//notes', '/notes/%ff', '/../../mailbox'])
    expect((await sandbox.fetch(new Request(`${apiUrl}${path}`))).status).toBe(404)
  expect(await (await sandbox.fetch(new Request(`${apiUrl}/nowhere`))).json()).toMatchObject({ reason: 'not_found' })
})

test('reports paths outside of the sandbox or its providers as not found', async () => {
  const { sandbox } = sandboxKit([tinySandboxProvider()])
  for (const path of ['/', '/sandbox', '/sandboxes/notes', '/sandbox/drive', '/other/notes/api/open'])
    expect((await sandbox.fetch(new Request(`http://127.0.0.1:8787${path}`))).status).toBe(404)
})

test("passes parameters, query, body and the token's scopes to the route", async () => {
  const kit = sandboxKit([tinySandboxProvider()])
  const fetch = await kit.fetchAs('notes', { scopes: ['notes.titles'] })
  const { apiUrl } = kit.sandbox.provider('notes')
  expect(await (await fetch(new Request(`${apiUrl}/notes?q=a%20b`))).json()).toMatchObject({
    q: 'a b',
    scopes: ['notes.titles']
  })
  expect(await (await fetch(new Request(`${apiUrl}/notes/x%20y`))).json()).toEqual({ id: 'x y' })
  expect(await (await fetch(new Request(`${apiUrl}/notes`, { method: 'POST', body: 'four' }))).json()).toEqual({
    bytes: 4
  })
  const head = await fetch(new Request(`${apiUrl}/notes`, { method: 'HEAD' }))
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test('refuses a body over 8 MiB', async () => {
  const kit = sandboxKit([tinySandboxProvider()])
  const fetch = await kit.fetchAs('notes')
  const body = new Uint8Array(8 * 1024 * 1024 + 1)
  expect(
    (await fetch(new Request(`${kit.sandbox.provider('notes').apiUrl}/notes`, { method: 'POST', body }))).status
  ).toBe(413)
})

test('reports a bug of a sandbox provider as a server error, and lists it with the request', async () => {
  const kit = sandboxKit([tinySandboxProvider()])
  const fetch = await kit.fetchAs('notes')
  expect((await fetch(new Request(`${kit.sandbox.provider('notes').apiUrl}/broken`))).status).toBe(500)
  const { requests } = (await kit.control('GET', '/requests')) as { requests: { bug?: string }[] }
  expect(requests.at(-1)?.bug).toContain('a bug of the sandbox provider')
})

test('supports a base URL with a path, and a separate URL for each sandbox provider', async () => {
  const kit = sandboxKit([tinySandboxProvider()], { base: 'https://example.com/memory/sandbox' })
  const fetch = await kit.fetchAs('notes')
  expect(kit.sandbox.provider('notes').apiUrl).toBe('https://example.com/memory/sandbox/notes/api')
  expect((await fetch(new Request('https://example.com/memory/sandbox/notes/api/notes'))).status).toBe(200)
})
