import { expect, test } from 'vitest'
import { type About, toFailure } from '../../../../server/providers/notes/failures.ts'
import type { FailureKind } from '../../../../server/providers/port/provider-failure.ts'

const LIST: About = { what: 'the search' }
const ON: About = { what: 'the search', fromCursor: true }
const ONE: About = { what: 'the page', single: true }

/** Status, code, message, request, and the expected kind. */
const ROWS: readonly [number, string, string, About, FailureKind][] = [
  [401, 'unauthorized', 'API token is invalid.', LIST, 'auth_expired'],
  [403, 'restricted_resource', 'Insufficient permissions.', ONE, 'scope_missing'],
  [404, 'object_not_found', 'Could not find page.', ONE, 'item_gone'],
  [404, 'object_not_found', 'Could not find it.', LIST, 'contract_broken'],
  [404, 'internal_server_error', 'Unexpected error occurred.', ONE, 'transient'],
  [404, 'not_yet_known', 'Gone?', ONE, 'transient'],
  [400, 'validation_error', 'The start_cursor provided is invalid: x', ON, 'cursor_invalid'],
  [400, 'validation_error', 'The start_cursor provided is invalid: x', LIST, 'contract_broken'],
  [400, 'validation_error', 'path failed validation', ONE, 'item_permanent'],
  [400, 'missing_version', 'Notion-Version header failed validation', ONE, 'contract_broken'],
  [400, 'invalid_request_url', 'Invalid request URL.', LIST, 'contract_broken'],
  [409, 'conflict_error', 'Conflict occurred while saving.', ONE, 'transient'],
  [429, 'rate_limited', 'You have been rate limited.', LIST, 'rate_limited'],
  [529, 'service_overload', 'Overloaded.', LIST, 'rate_limited'],
  [500, 'internal_server_error', 'Unexpected error occurred.', ONE, 'transient'],
  [502, 'bad_gateway', 'Bad gateway.', ONE, 'transient'],
  [503, 'service_unavailable', 'Service unavailable.', ONE, 'transient'],
  [504, 'gateway_timeout', 'Timed out.', LIST, 'transient'],
  [302, 'nothing', 'Moved.', LIST, 'contract_broken']
]

test.for(ROWS)('%i %s (%s) of %o: is classified as %s', ([status, code, message, about, kind]) => {
  const body = JSON.stringify({ object: 'error', status, code, message, request_id: 'r' })
  expect(toFailure(replied(status, body), about).kind).toBe(kind)
})

test('does not attribute a reply of another sender to the service', () => {
  const page = '<!doctype html><h1>Sign in</h1>'
  for (const status of [302, 400, 403, 404, 502]) expect(toFailure(replied(status, page), ONE).kind).toBe('transient')
  expect(toFailure(replied(404, page), ONE).message).toMatch(
    /^the page: the response is a web page that is not from Notion/
  )
})

test('reads the wait of both a rate limit and an overload', () => {
  for (const status of [429, 529]) {
    const reply = replied(status, '{"object":"error","code":"rate_limited"}', { 'retry-after': '12' })
    expect(toFailure(reply, LIST).retryAfterMs).toBe(12_000)
  }
  expect(toFailure(replied(429, '{}'), LIST).retryAfterMs).toBeUndefined()
})

test('writes a message as one line with the request and nothing from the reply', () => {
  const body = JSON.stringify({ object: 'error', code: 'x\nsecret_abc', message: 'token secret_abc\nis invalid' })
  const { message } = toFailure(replied(401, body), ONE)
  expect(message).toBe('the page: Notion does not accept the access token (401)')
})

function replied(status: number, body: string, headers: Record<string, string> = {}) {
  return { status, headers: new Headers(headers), bytes: new TextEncoder().encode(body), receivedAt: 0 }
}
