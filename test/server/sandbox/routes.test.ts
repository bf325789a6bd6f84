import { expect, test } from 'vitest'
import { createRouteTable } from '../../../server/sandbox/core/route-table.ts'
import { sandboxKit } from '../../suites/sandbox-provider-kit.ts'
import { tinySandboxProvider } from './tiny-sandbox-provider.ts'

test('of several routes that fit, the one with the fewest parameters answers', () => {
  const table = createRouteTable(
    ['/files/{id}', '/files/new', '/files/{id}:copy'].map((path) => ({ method: 'GET', path }))
  )
  expect(table.find('GET', '/files/new')).toMatchObject({ route: { path: '/files/new' }, params: {} })
  expect(table.find('GET', '/files/a%2Fb')).toMatchObject({ params: { id: 'a/b' } })
  expect(table.find('GET', '/files/a/b')).toBeUndefined()
  expect(table.find('POST', '/files/new')).toBeUndefined()
  expect(table.find('GET', '/files/%ff')).toBeUndefined()
})

test('a path that a provider does not have is refused in its own shape', async () => {
  const { sandbox } = sandboxKit([tinySandboxProvider()])
  const { apiUrl } = sandbox.provider('notes')
  for (const path of ['/nowhere', '/notes/a/b', '//notes', '/notes/%ff', '/../../mailbox'])
    expect((await sandbox.fetch(new Request(`${apiUrl}${path}`))).status).toBe(404)
  expect(await (await sandbox.fetch(new Request(`${apiUrl}/nowhere`))).json()).toMatchObject({ reason: 'not_found' })
})

test('what is not below the sandbox, or names no sandbox provider, is not found', async () => {
  const { sandbox } = sandboxKit([tinySandboxProvider()])
  for (const path of ['/', '/sandbox', '/sandboxes/notes', '/sandbox/drive', '/other/notes/api/open'])
    expect((await sandbox.fetch(new Request(`http://127.0.0.1:8787${path}`))).status).toBe(404)
})

test('parameters, query, body and what the token allows reach the route', async () => {
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

test('a body over 8 MiB is refused', async () => {
  const kit = sandboxKit([tinySandboxProvider()])
  const fetch = await kit.fetchAs('notes')
  const body = new Uint8Array(8 * 1024 * 1024 + 1)
  expect(
    (await fetch(new Request(`${kit.sandbox.provider('notes').apiUrl}/notes`, { method: 'POST', body }))).status
  ).toBe(413)
})

test('a bug of a sandbox provider is an error of the provider, and is told in the list of requests', async () => {
  const kit = sandboxKit([tinySandboxProvider()])
  const fetch = await kit.fetchAs('notes')
  expect((await fetch(new Request(`${kit.sandbox.provider('notes').apiUrl}/broken`))).status).toBe(500)
  const { requests } = (await kit.control('GET', '/requests')) as { requests: { bug?: string }[] }
  expect(requests.at(-1)?.bug).toContain('a bug of the sandbox provider')
})

test('a base address may have a path, and an address of its own for every sandbox provider', async () => {
  const kit = sandboxKit([tinySandboxProvider()], { base: 'https://example.com/memory/sandbox' })
  const fetch = await kit.fetchAs('notes')
  expect(kit.sandbox.provider('notes').apiUrl).toBe('https://example.com/memory/sandbox/notes/api')
  expect((await fetch(new Request('https://example.com/memory/sandbox/notes/api/notes'))).status).toBe(200)
})
