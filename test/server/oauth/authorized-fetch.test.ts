import { expect, test } from 'vitest'
import { isBelow } from '../../../server/oauth/tokens/bearer-fetch.ts'
import { connect, setUpOAuth } from './oauth-kit.ts'

test.for<[address: string, below: boolean]>([
  ['https://api.example/v1/files', true],
  ['https://api.example/v1/files?page=https://evil.example', true],
  ['https://API.example:443/v1/files', true],
  ['https://api.example/v1', false],
  ['https://api.example/v10/files', false],
  ['https://api.example/v1/../admin', false],
  ['https://api.example/v1/%2e%2e/admin', false],
  ['https://api.example/', false],
  ['https://api.example.evil.example/v1/files', false],
  ['https://api.example@evil.example/v1/files', false],
  ['http://api.example/v1/files', false],
  ['https://api.example:8443/v1/files', false]
])('sends a token to the API of its provider and nowhere else: %s', ([address, below]) => {
  expect(isBelow(address, 'https://api.example/v1')).toBe(below)
})

test('sends no token to other addresses', async () => {
  const { oauth, server, enabled, ...setup } = await setUpOAuth()
  const { credentialId } = await connect({ oauth, server })
  const seen: (string | null)[] = []
  enabled.fetch = async (request) => {
    seen.push(request.headers.get('authorization'))
    return new Response('', { status: 401 })
  }
  const reply = await oauth.authorizedFetch(credentialId)(new Request('https://files.example/signed'))
  expect([reply.status, seen]).toEqual([401, [null]])
  expect(setup.logged.join()).not.toContain('access-')
})

test('sends a body again after a 401, unless it is too large', async () => {
  const setup = await setUpOAuth()
  const { credentialId } = await connect(setup)
  const bodies: [string | null, number][] = []
  const { fetch } = setup.enabled
  setup.enabled.fetch = async (request) => {
    if (!request.url.endsWith('/search')) return await fetch(request)
    bodies.push([request.headers.get('content-type'), (await request.arrayBuffer()).byteLength])
    return new Response('', { status: bodies.length % 2 === 1 ? 401 : 200 })
  }
  const send = async (body: string | ReadableStream): Promise<number> => {
    const headers = { 'content-type': 'application/json' }
    const request = new Request('https://api.example/v1/search', { method: 'POST', body, headers, duplex: 'half' })
    return (await setup.oauth.authorizedFetch(credentialId)(request)).status
  }
  expect(await send('{"query":"x"}')).toBe(200)
  expect(await send(new Blob(['x'.repeat(1000)]).stream())).toBe(200)
  const large = 3 * 1024 * 1024
  expect(await send(new Blob(['x'.repeat(large)]).stream())).toBe(401)
  const type = 'application/json'
  expect(bodies).toEqual([
    [type, 13],
    [type, 13],
    [type, 1000],
    [type, 1000],
    [type, large]
  ])
})

test('releases a caller that aborts during a renewal, and continues for the others', async () => {
  const setup = await setUpOAuth()
  const { credentialId } = await connect(setup)
  await setup.clock.pass(7_200_000)
  const { fetch } = setup.enabled
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  setup.enabled.fetch = async (request) => {
    if (request.url.endsWith('/token')) await gate
    return await fetch(request)
  }
  const leaves = new AbortController()
  const me = (signal?: AbortSignal): Promise<Response> =>
    setup.oauth.authorizedFetch(credentialId)(new Request('https://api.example/v1/me', { signal: signal ?? null }))
  const [gone, stays] = [me(leaves.signal), me()]
  leaves.abort(new Error('enough'))
  await expect(gone).rejects.toThrow('enough')
  open()
  expect((await stays).status).toBe(200)
})
