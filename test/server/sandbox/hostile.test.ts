import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SANDBOX_BASE, type SandboxKit, sandboxKit, withToken } from '../../suites/sandbox-provider-kit.ts'
import { tinySandboxProvider } from './tiny-sandbox-provider.ts'

const RUNS = process.env.SLOW ? 5000 : 100

/** Parts of paths that mean something to the sandbox, and others. */
const piece = fc.oneof(
  fc.constantFrom(
    'notes',
    'api',
    'authorize',
    'token',
    'revoke',
    'control',
    'faults',
    'clock',
    'accounts',
    'A1',
    'add'
  ),
  fc.webPath(),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed()))
)

const asked = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
  path: fc.array(piece, { maxLength: 6 }),
  query: fc.dictionary(fc.string(), fc.string(), { maxKeys: 4 }),
  body: fc.uint8Array({ maxLength: 200 }),
  type: fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data'),
  authorization: fc.oneof(
    fc.constant(''),
    fc.base64String().map((text) => `Bearer ${text}`),
    fc.base64String().map((text) => `Basic ${text}`)
  )
})

test('answers any request without an internal error', async () => {
  const kit = sandboxKit([tinySandboxProvider()])
  await fc.assert(
    fc.asyncProperty(asked, async ({ method, path, query, body, type, authorization }) => {
      const url = `${SANDBOX_BASE}/${path.join('/')}?${new URLSearchParams(query)}`
      const headers = { 'content-type': type, ...(authorization !== '' && { authorization }) }
      const more = method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(body) }
      const reply = await kit.sandbox.fetch(new Request(url, { method, headers, ...more }))
      await reply.arrayBuffer()
      expect(reply.status).toBeLessThan(500)
    }),
    { numRuns: RUNS }
  )
})

test('rejects a token with one changed letter', async () => {
  const kit = sandboxKit([tinySandboxProvider()])
  const { accessToken } = await kit.consent('notes')
  for (let at = 0; at < accessToken.length; at++) {
    const other = accessToken[at] === 'A' ? 'B' : 'A'
    const reply = await listWith(kit, `${accessToken.slice(0, at)}${other}${accessToken.slice(at + 1)}`)
    // Some bits of a MAC's last letter are unused.
    if (at < accessToken.length - 1) expect(reply.status, `letter ${at}`).toBe(401)
  }
})

test('rejects a signed value of another kind', async () => {
  const kit = sandboxKit([tinySandboxProvider()])
  const { accessToken, refreshToken = '' } = await kit.consent('notes')
  expect((await listWith(kit, refreshToken)).status).toBe(401)
  const body = new URLSearchParams({ request: accessToken, account: 'A1', decision: 'approve' })
  const address = kit.sandbox.provider('notes').authorizeUrl
  expect((await kit.sandbox.fetch(new Request(address, { method: 'POST', body }))).status).toBe(400)
})

function listWith(kit: SandboxKit, token: string): Promise<Response> {
  return withToken(kit.sandbox.fetch, token)(new Request(`${kit.sandbox.provider('notes').apiUrl}/notes`))
}
