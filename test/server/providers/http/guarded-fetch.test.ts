import { expect, test } from 'vitest'
import { createGuardedFetch, NOT_PUBLIC } from '../../../../server/providers/http/create-guarded-fetch.ts'
import { ProviderFailure } from '../../../../server/providers/port/provider-failure.ts'
import { HOSTILE_HOSTS } from './hostile-addresses.ts'

const API = 'https://api.example.com'

type Sent = { by: 'own' | 'foreign'; request: Request }

/** Creates a guarded fetch over replies by address, and records what was sent. */
function guarded(replies: Record<string, () => Response>, foreignError?: Error) {
  const sent: Sent[] = []
  const answer = (by: Sent['by']) => async (request: Request) => {
    sent.push({ by, request })
    if (by === 'foreign' && foreignError !== undefined) throw foreignError
    return replies[request.url]?.() ?? new Response('fine')
  }
  const addresses = [`${API}/drive/v3`, 'https://token.example.com/token']
  return { sent, fetch: createGuardedFetch({ addresses, own: answer('own'), foreign: answer('foreign') }) }
}

/** A header contains bytes, so non-ASCII text is sent as UTF-8. */
const to =
  (location: string, status = 302) =>
  () =>
    new Response('moved', { status, headers: { location: Buffer.from(location).toString('latin1') } })

const asked = (url: string, init: RequestInit = {}) =>
  new Request(url, {
    ...init,
    headers: { authorization: 'Bearer t', range: 'bytes=0-9', 'x-more': 'm', ...init.headers }
  })

const failureOf = async (work: Promise<unknown>): Promise<ProviderFailure> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown
  )
  if (!(error instanceof ProviderFailure)) throw new Error(`no failure of a provider: ${String(error)}`)
  return error
}

test("passes requests to the admin's addresses unchanged", async () => {
  const { fetch, sent } = guarded({})
  const request = asked(`${API}/anything?x=1`, { method: 'POST', body: 'b' })
  expect(await (await fetch(request)).text()).toBe('fine')
  expect(sent).toEqual([{ by: 'own', request }])
  await fetch(asked('https://token.example.com/other'))
  expect(sent).toHaveLength(2)
})

test.each([
  'https://elsewhere.example.com/',
  'http://api.example.com/',
  'https://api.example.com:8443/',
  'https://api.example.com.evil.org/',
  'https://evil.org/https://api.example.com',
  'https://api.example.com@evil.org/'.replace('@', '.'),
  'https://127.0.0.1/'
])('sends nothing to %s', async (url) => {
  const { fetch, sent } = guarded({})
  expect(await failureOf(fetch(asked(url)))).toMatchObject({ kind: 'contract_broken' })
  expect(sent).toEqual([])
})

test.each([301, 302, 303, 307, 308])(
  'follows a redirect %i of a reading request, without credentials to another origin',
  async (status) => {
    const { fetch, sent } = guarded({ [`${API}/file`]: to('https://content.example.org/f?sig=1', status) })
    expect(await (await fetch(asked(`${API}/file`))).text()).toBe('fine')
    expect(sent.map(({ by, request }) => [by, request.url])).toEqual([
      ['own', `${API}/file`],
      ['foreign', 'https://content.example.org/f?sig=1']
    ])
    expect(Object.fromEntries(sent[1]?.request.headers ?? [])).toEqual({ range: 'bytes=0-9' })
  }
)

test('keeps credentials within the origin, but not between the admin’s addresses', async () => {
  const { fetch, sent } = guarded({
    [`${API}/a`]: to('/b'),
    [`${API}/b`]: to('https://token.example.com/c'),
    'https://token.example.com/c': to(`${API}/d`)
  })
  await fetch(asked(`${API}/a`))
  expect(sent.map(({ by, request }) => [by, request.url, request.headers.has('authorization')])).toEqual([
    ['own', `${API}/a`, true],
    ['own', `${API}/b`, true],
    ['own', 'https://token.example.com/c', false],
    ['own', `${API}/d`, false]
  ])
})

test('follows three redirects but not a fourth', async () => {
  const { fetch, sent } = guarded({ [`${API}/a`]: to('/a') })
  expect(await failureOf(fetch(asked(`${API}/a`)))).toMatchObject({
    message: 'https://api.example.com redirects too often'
  })
  expect(sent).toHaveLength(4)
})

test.each(['POST', 'PATCH', 'DELETE'])('does not redirect a %s', async (method) => {
  const { fetch, sent } = guarded({ [`${API}/a`]: to(`${API}/b`, 307) })
  expect(await failureOf(fetch(asked(`${API}/a`, { method })))).toMatchObject({ kind: 'contract_broken' })
  expect(sent).toHaveLength(1)
})

test.each(HOSTILE_HOSTS)('refuses a redirect to %j', async (host) => {
  const { fetch, sent } = guarded({ [`${API}/a`]: to(`https://${host}/latest/meta-data?token=hush`) })
  const failure = await failureOf(fetch(asked(`${API}/a`)))
  expect(failure.kind).toBe('contract_broken')
  expect(failure.message).not.toContain('hush')
  expect(sent).toHaveLength(1)
})

test.each([
  'http://content.example.org/',
  'ftp://content.example.org/',
  'file:///etc/passwd',
  'data:text/plain,x',
  'javascript:alert(1)',
  'https://me:secret@content.example.org/',
  'https://api.example.com@127.0.0.1/',
  'https://api.example.com%40127.0.0.1/',
  'https:\\\\127.0.0.1\\',
  '//127.0.0.1/',
  '/\\127.0.0.1/',
  'https://',
  'http://[::1',
  ''
])('refuses a redirect to %j', async (location) => {
  const { fetch, sent } = guarded({ [`${API}/a`]: to(location) })
  expect(await failureOf(fetch(asked(`${API}/a`)))).toMatchObject({ kind: 'contract_broken' })
  expect(sent).toHaveLength(1)
})

test('reports a name that resolves to an address that is not public', async () => {
  const refusal = Object.assign(new Error('connections to 10.0.0.1 are not allowed'), { code: NOT_PUBLIC })
  const { fetch } = guarded(
    { [`${API}/a`]: to('https://rebind.example.org/') },
    new TypeError('fetch failed', { cause: refusal })
  )
  expect(await failureOf(fetch(asked(`${API}/a`)))).toMatchObject({
    message: 'the provider redirects to https://rebind.example.org, which is not public'
  })
})

test('rethrows other errors of the foreign fetch unchanged', async () => {
  const { fetch } = guarded({ [`${API}/a`]: to('https://away.example.org/') }, new Error('away'))
  await expect(fetch(asked(`${API}/a`))).rejects.toThrow('away')
})

test('cancels the body of an unused reply', async () => {
  let cancelled = 0
  const body = () => new ReadableStream({ cancel: () => void cancelled++ })
  const { fetch } = guarded({
    [`${API}/a`]: () => new Response(body(), { status: 302, headers: { location: '/b' } }),
    [`${API}/c`]: () => new Response(body(), { status: 302, headers: { location: 'http://127.0.0.1/' } })
  })
  await fetch(asked(`${API}/a`))
  await failureOf(fetch(asked(`${API}/c`)))
  expect(cancelled).toBe(2)
})
