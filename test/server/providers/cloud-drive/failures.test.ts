import { expect, test } from 'vitest'
import { type Subject, toFailure } from '../../../../server/providers/cloud-drive/failures.ts'
import type { FailureKind } from '../../../../server/providers/port/provider-failure.ts'

/** Reasons of https://developers.google.com/workspace/drive/api/guides/handle-errors, and replies of proxies. */
const TABLE: readonly (readonly [status: number, reason: string, subject: Subject, kind: FailureKind])[] = [
  [400, 'invalid', 'cursor', 'cursor_invalid'],
  [400, 'badRequest', 'item', 'item_permanent'],
  [400, 'badRequest', 'account', 'contract_broken'],
  [401, 'authError', 'account', 'auth_expired'],
  [401, 'authError', 'item', 'auth_expired'],
  [403, 'rateLimitExceeded', 'account', 'rate_limited'],
  [403, 'userRateLimitExceeded', 'item', 'rate_limited'],
  [403, 'dailyLimitExceeded', 'cursor', 'rate_limited'],
  [403, 'insufficientPermissions', 'account', 'scope_missing'],
  [403, 'accessNotConfigured', 'account', 'scope_missing'],
  [403, 'domainPolicy', 'item', 'scope_missing'],
  [403, 'exportSizeLimitExceeded', 'item', 'item_permanent'],
  [403, 'cannotDownloadAbusiveFile', 'item', 'item_permanent'],
  [403, 'cannotDownloadFile', 'item', 'item_permanent'],
  [403, 'fileNotDownloadable', 'item', 'item_permanent'],
  [403, 'appNotAuthorizedToFile', 'item', 'item_permanent'],
  [403, 'insufficientFilePermissions', 'item', 'item_permanent'],
  [403, 'downloadQuotaExceeded', 'item', 'transient'],
  [403, '', 'account', 'transient'],
  [404, 'notFound', 'item', 'item_gone'],
  [404, 'notFound', 'account', 'item_gone'],
  [404, 'notFound', 'cursor', 'cursor_invalid'],
  [404, '', 'item', 'transient'],
  [404, '', 'account', 'transient'],
  [404, '', 'cursor', 'transient'],
  [404, 'backendError', 'item', 'transient'],
  [404, 'backendError', 'cursor', 'transient'],
  [404, 'aReasonOfNextYear', 'item', 'transient'],
  [410, 'deleted', 'item', 'item_gone'],
  [410, '', 'item', 'transient'],
  [400, '', 'item', 'transient'],
  [400, '', 'cursor', 'transient'],
  [410, 'gone', 'cursor', 'cursor_invalid'],
  [408, '', 'account', 'transient'],
  [429, 'rateLimitExceeded', 'account', 'rate_limited'],
  [500, 'backendError', 'account', 'transient'],
  [502, '', 'item', 'transient'],
  [503, 'backendError', 'cursor', 'transient'],
  [302, '', 'account', 'transient'],
  [302, 'moved', 'account', 'contract_broken']
]

function replied(status: number, body: string, headers: Record<string, string> = {}) {
  return { status, headers: new Headers(headers), bytes: new TextEncoder().encode(body), receivedAt: 0 }
}

function googleBody(reason: string, more: Record<string, unknown> = {}): string {
  return reason === '' ? '<html>' : JSON.stringify({ error: { message: 'Why.', errors: [{ reason, ...more }] } })
}

for (const [status, reason, subject, kind] of TABLE)
  test(`classifies ${status} ${reason} of the ${subject} as ${kind}`, () => {
    const failure = toFailure(replied(status, googleBody(reason)), { what: 'the file', subject })
    expect(failure?.kind).toBe(kind)
    expect(failure?.message).toMatch(/^the file: .*Google Drive/)
    expect(failure?.message.endsWith(` (${status}${reason === '' ? '' : ` ${reason}: Why.`})`)).toBe(true)
  })

test('treats 200 as success, whatever the body', () => {
  expect(toFailure(replied(200, googleBody('authError')), { what: '', subject: 'account' })).toBeUndefined()
})

test('does not attribute an error without a reason to the item', () => {
  const body = JSON.stringify({ error: { code: 404, message: 'Not Found' } })
  const failure = toFailure(replied(404, body), { what: 'the file', subject: 'item' })
  expect(failure).toMatchObject({
    kind: 'transient',
    message: 'the file: Google Drive could not respond (404 Not Found)'
  })
})

test('treats a refused page token as an invalid cursor of any request', () => {
  const body = googleBody('invalid', { location: 'pageToken' })
  expect(toFailure(replied(400, body), { what: '', subject: 'account' })?.kind).toBe('cursor_invalid')
})

test("reports Drive's wait only for failures where waiting helps", () => {
  const after = { 'retry-after': '12' }
  const asked = { what: '', subject: 'account' } as const
  expect(toFailure(replied(429, '', after), asked)?.retryAfterMs).toBe(12_000)
  expect(toFailure(replied(503, '', after), asked)?.retryAfterMs).toBe(12_000)
  expect(toFailure(replied(401, '', after), asked)?.retryAfterMs).toBeUndefined()
})

test("shortens Drive's message to one line without control characters", () => {
  const body = JSON.stringify({ error: { message: `a\n\u001b[31mb${'c'.repeat(9000)}`, errors: [{ reason: 'x' }] } })
  const message = toFailure(replied(500, body), { what: '', subject: 'account' })?.message ?? ''
  expect(message).not.toMatch(/\p{Cc}/u)
  expect(message.length).toBeLessThan(300)
})
