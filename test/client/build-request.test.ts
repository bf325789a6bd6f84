import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  buildMessageRequest as plainOfMessage,
  buildRequest as plainRequestOf,
  toPlatformRequest
} from '../../src/client/build-request.ts'
import { buildServiceUrl } from '../../src/client/build-service-url.ts'
import { CALL_ROWS } from '../../src/contract/endpoints/call-row.ts'
import { Fault } from '../../src/contract/faults.ts'
import { KEY, ORIGIN } from './fake-service.ts'

const target = { address: ORIGIN, key: KEY }

/** As the platform has them, which reads everything back. */
const requestOf = (...given: Parameters<typeof plainRequestOf>) => toPlatformRequest(plainRequestOf(...given))
const requestOfMessage = (...given: Parameters<typeof plainOfMessage>) => toPlatformRequest(plainOfMessage(...given))

test('a request has method, path, key and JSON body', async () => {
  const request = requestOf(target, CALL_ROWS.createCollection, { input: { body: { name: 'team' } } })
  expect(request.method).toBe('POST')
  expect(request.url).toBe(`${ORIGIN}/v1/collections`)
  expect(request.headers.get('authorization')).toBe(`Bearer ${KEY}`)
  expect(request.headers.get('content-type')).toBe('application/json')
  expect(await request.json()).toEqual({ name: 'team' })
})

test('an address may lie below a path', () => {
  const request = requestOf({ ...target, address: `${ORIGIN}/memory/` }, CALL_ROWS.listKeys, { input: {} })
  expect(request.url).toBe(`${ORIGIN}/memory/v1/keys`)
})

test('parts of a path are encoded', () => {
  const request = requestOf(target, CALL_ROWS.getCollection, { input: { params: { collection_id: 'a/../b?c' } } })
  expect(request.url).toBe(`${ORIGIN}/v1/collections/a%2F..%2Fb%3Fc`)
})

test.each([{}, { collection_id: '' }, { collection_id: '.' }, { collection_id: '..' }, { collection_id: 7 }])(
  'a part of a path that would lead elsewhere is refused: %o',
  (params) => {
    const make = () => requestOf(target, CALL_ROWS.getCollection, { input: { params } })
    expect(make).toThrow(expect.objectContaining({ code: 'usage' }))
  }
)

test('what is public is asked without the key', () => {
  expect(requestOf(target, CALL_ROWS.getHealth, { input: {} }).headers.has('authorization')).toBe(false)
})

test('no request follows a redirect', () => {
  expect(requestOf(target, CALL_ROWS.listKeys, { input: {} }).redirect).toBe('manual')
  expect(requestOfMessage(target, { method: 'GET', path: '/x' }).redirect).toBe('manual')
})

test.each([Buffer.from('a\nb\n'), chunks('a\n', 'b\n')])('lines are sent as they come', async (lines) => {
  const request = requestOf(target, CALL_ROWS.restoreRecords, { input: { params: { collection_id: 'c' }, lines } })
  expect(request.headers.get('content-type')).toBe('application/jsonl')
  expect(await request.text()).toBe('a\nb\n')
})

test.each([
  'v1/keys',
  '//elsewhere.example/x',
  '/\\elsewhere.example',
  'https://elsewhere.example/',
  '@elsewhere.example/',
  ''
])('a message cannot be made to go elsewhere: %s', (path) => {
  let url: URL | undefined
  try {
    url = new URL(requestOfMessage(target, { method: 'GET', path }).url)
  } catch (error) {
    expect(error).toMatchObject({ code: 'usage' })
  }
  expect(url?.origin ?? ORIGIN).toBe(ORIGIN)
})

test('a message cannot leave the path that the service lies below', () => {
  const make = () => requestOfMessage({ ...target, address: `${ORIGIN}/memory` }, { method: 'GET', path: '/../admin' })
  expect(make).toThrow(expect.objectContaining({ code: 'usage' }))
})

test('whatever is given as a path, nothing but the service is reached', () => {
  const part = fc.constantFrom(
    '/',
    '\\',
    '..',
    '.',
    '%2e',
    '@',
    ':',
    '?',
    '#',
    'a',
    '\t',
    '\n',
    ' ',
    'é',
    '//x.example'
  )
  const path = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(part).map((parts) => parts.join(''))
  )
  fc.assert(
    fc.property(path, fc.constantFrom('', '/base', '/base/'), (text, base) => {
      const url = urlOrFault(`${ORIGIN}${base}`, text)
      if (url instanceof Fault) return url.code === 'usage'
      const below = base === '' ? '/' : '/base/'
      return url.origin === ORIGIN && url.pathname.startsWith(below) && url.username === ''
    }),
    { numRuns: process.env.SLOW ? 100_000 : 2000 }
  )
})

function urlOrFault(address: string, path: string): URL | Fault {
  try {
    return buildServiceUrl(address, path)
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

test('a form of a page is sent as one', async () => {
  const input = { params: { provider: 'notes' }, body: { ticket: 'a&b =', decision: 'deny' } }
  const request = requestOf(target, CALL_ROWS.confirmConsent, { input })
  expect([request.headers.get('content-type'), await request.text()]).toEqual([
    'application/x-www-form-urlencoded',
    'ticket=a%26b+%3D&decision=deny'
  ])
  expect(request.headers.has('authorization')).toBe(false)
})

test('a body that may be left out is', () => {
  const connection_id = '11111111-1111-7111-8111-111111111111'
  const input = { params: { connection_id }, query: { delete_memories: 'true' } }
  const request = requestOf(target, CALL_ROWS.disconnect, { input })
  expect([request.method, request.body, request.headers.get('content-type')]).toEqual(['DELETE', null, null])
  expect(new URL(request.url).search).toBe('?delete_memories=true')
})
