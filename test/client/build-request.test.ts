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

/** Builds a platform request, from which everything can be read back. */
const requestOf = (...given: Parameters<typeof plainRequestOf>) => toPlatformRequest(plainRequestOf(...given))
const requestOfMessage = (...given: Parameters<typeof plainOfMessage>) => toPlatformRequest(plainOfMessage(...given))

test('builds a request with method, path, key and JSON body', async () => {
  const request = requestOf(target, CALL_ROWS.createCollection, { input: { body: { name: 'team' } } })
  expect(request.method).toBe('POST')
  expect(request.url).toBe(`${ORIGIN}/v1/collections`)
  expect(request.headers.get('authorization')).toBe(`Bearer ${KEY}`)
  expect(request.headers.get('content-type')).toBe('application/json')
  expect(await request.json()).toEqual({ name: 'team' })
})

test('supports a base URL with a path', () => {
  const request = requestOf({ ...target, address: `${ORIGIN}/memory/` }, CALL_ROWS.listKeys, { input: {} })
  expect(request.url).toBe(`${ORIGIN}/memory/v1/keys`)
})

test('encodes the segments of a path', () => {
  const request = requestOf(target, CALL_ROWS.getCollection, { input: { params: { collection_id: 'a/../b?c' } } })
  expect(request.url).toBe(`${ORIGIN}/v1/collections/a%2F..%2Fb%3Fc`)
})

test.each([{}, { collection_id: '' }, { collection_id: '.' }, { collection_id: '..' }, { collection_id: 7 }])(
  'refuses a path segment that would leave the path: %o',
  (params) => {
    const make = () => requestOf(target, CALL_ROWS.getCollection, { input: { params } })
    expect(make).toThrow(expect.objectContaining({ code: 'usage' }))
  }
)

test('sends no key to public endpoints', () => {
  expect(requestOf(target, CALL_ROWS.getHealth, { input: {} }).headers.has('authorization')).toBe(false)
})

test('forbids redirects in every request', () => {
  expect(requestOf(target, CALL_ROWS.listKeys, { input: {} }).redirect).toBe('manual')
  expect(requestOfMessage(target, { method: 'GET', path: '/x' }).redirect).toBe('manual')
})

test.each([Buffer.from('a\nb\n'), chunks('a\n', 'b\n')])('sends lines unchanged', async (lines) => {
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
])('prevents a message from being sent elsewhere: %s', (path) => {
  let url: URL | undefined
  try {
    url = new URL(requestOfMessage(target, { method: 'GET', path }).url)
  } catch (error) {
    expect(error).toMatchObject({ code: 'usage' })
  }
  expect(url?.origin ?? ORIGIN).toBe(ORIGIN)
})

test('keeps a message below the base path of the service', () => {
  const make = () => requestOfMessage({ ...target, address: `${ORIGIN}/memory` }, { method: 'GET', path: '/../admin' })
  expect(make).toThrow(expect.objectContaining({ code: 'usage' }))
})

test('reaches only the service, whatever path is given', () => {
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
    { numRuns: process.env.SLOW ? 100_000 : 700 }
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

test('sends a form of a page as a form', async () => {
  const input = { params: { provider: 'notes' }, body: { ticket: 'a&b =', decision: 'deny' } }
  const request = requestOf(target, CALL_ROWS.confirmConsent, { input })
  expect([request.headers.get('content-type'), await request.text()]).toEqual([
    'application/x-www-form-urlencoded',
    'ticket=a%26b+%3D&decision=deny'
  ])
  expect(request.headers.has('authorization')).toBe(false)
})

test('omits an optional body', () => {
  const connection_id = '11111111-1111-7111-8111-111111111111'
  const input = { params: { connection_id }, query: { delete_memories: 'true' } }
  const request = requestOf(target, CALL_ROWS.disconnect, { input })
  expect([request.method, request.body, request.headers.get('content-type')]).toEqual(['DELETE', null, null])
  expect(new URL(request.url).search).toBe('?delete_memories=true')
})
