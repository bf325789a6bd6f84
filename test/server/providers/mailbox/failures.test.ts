import { expect, test } from 'vitest'
import { type About, toFailure } from '../../../../server/providers/mailbox/failures.ts'
import type { FailureKind } from '../../../../server/providers/port/provider-failure.ts'

const MESSAGE: About = { what: 'a message', missing: 'item_gone' }
const HISTORY: About = { what: 'the history', missing: 'cursor_invalid' }
const PAGE: About = { what: 'a page', fromToken: true }
const LIST: About = { what: 'a list' }

/** Status, reason, request, and the expected kind. */
const TABLE: readonly [number, string, About, FailureKind][] = [
  [401, 'authError', MESSAGE, 'auth_expired'],
  [403, 'rateLimitExceeded', MESSAGE, 'rate_limited'],
  [403, 'userRateLimitExceeded', MESSAGE, 'rate_limited'],
  [403, 'dailyLimitExceeded', LIST, 'rate_limited'],
  [403, 'quotaExceeded', LIST, 'rate_limited'],
  [403, 'insufficientPermissions', LIST, 'scope_missing'],
  [403, 'domainPolicy', LIST, 'scope_missing'],
  [403, 'accessNotConfigured', LIST, 'scope_missing'],
  [403, 'forbidden', LIST, 'scope_missing'],
  [404, 'notFound', MESSAGE, 'item_gone'],
  [410, 'deleted', MESSAGE, 'item_gone'],
  [404, 'backendError', MESSAGE, 'transient'],
  [404, '', MESSAGE, 'transient'],
  [404, 'notFound', HISTORY, 'cursor_invalid'],
  [404, 'backendError', HISTORY, 'transient'],
  [404, 'notFound', LIST, 'contract_broken'],
  [400, 'invalidArgument', PAGE, 'cursor_invalid'],
  [400, 'invalidArgument', LIST, 'contract_broken'],
  [400, 'failedPrecondition', LIST, 'scope_missing'],
  [408, '', LIST, 'transient'],
  [429, 'rateLimitExceeded', LIST, 'rate_limited'],
  [500, 'backendError', LIST, 'transient'],
  [502, '', LIST, 'transient'],
  [503, 'backendError', LIST, 'transient'],
  [504, '', LIST, 'transient'],
  [302, '', LIST, 'contract_broken'],
  [204, '', LIST, 'contract_broken'],
  [418, '', LIST, 'contract_broken']
]

test.each(TABLE)('classifies %i %s as documented', (...[status, reason, about, kind]) => {
  const body = { error: { code: status, message: 'secret words', errors: reason === '' ? [] : [{ reason }] } }
  const failure = toFailure(replied(status, JSON.stringify(body)), about)
  expect(failure.kind).toBe(kind)
  expect(failure.message).toContain(`${status}`)
  expect(failure.message).not.toContain('secret')
})

test('reads the newer error format if the older one is missing', () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'RATE_LIMIT_EXCEEDED' }]
  const body = { error: { code: 403, message: 'x', status: 'PERMISSION_DENIED', details } }
  expect(toFailure(replied(403, JSON.stringify(body)), LIST).kind).toBe('rate_limited')
  const exhausted = { error: { code: 403, message: 'x', status: 'RESOURCE_EXHAUSTED' } }
  expect(toFailure(replied(403, JSON.stringify(exhausted)), LIST).kind).toBe('rate_limited')
})

test.for([302, 400, 403, 404, 410, 418])(
  'treats a %i that does not come from Gmail as temporary, whatever the request',
  (status) => {
    for (const about of [LIST, MESSAGE, HISTORY, PAGE])
      expect(toFailure(replied(status, '<html>proxy</html>'), about)).toMatchObject({
        kind: 'transient',
        message: expect.stringMatching(/^[^:]+: the response is a web page that is not from Gmail.* \(\d+\)$/)
      })
  }
)

test('reports the demanded wait only for limits and outages', () => {
  const headers = { 'retry-after': '7' }
  expect(toFailure(replied(429, '{}', headers), LIST).retryAfterMs).toBe(7000)
  expect(toFailure(replied(503, '{}', headers), LIST).retryAfterMs).toBe(7000)
  expect(toFailure(replied(429, '{}'), LIST).retryAfterMs).toBeUndefined()
  const gone = JSON.stringify({ error: { errors: [{ reason: 'notFound' }] } })
  expect(toFailure(replied(404, gone, headers), MESSAGE).retryAfterMs).toBeUndefined()
})

test('does not repeat a reason that is not a word', () => {
  const body = { error: { errors: [{ reason: 'ya29.token in a reason' }] } }
  expect(toFailure(replied(500, JSON.stringify(body)), LIST).message).not.toContain('ya29')
})

function replied(status: number, body: string, headers: Record<string, string> = {}) {
  return { status, headers: new Headers(headers), bytes: new TextEncoder().encode(body), receivedAt: 0 }
}
