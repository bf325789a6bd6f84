import { expect, test } from 'vitest'
import * as z from 'zod'
import type { ProviderFailure } from '../../../../server/providers/port/provider-failure.ts'
import { FAILURE_KINDS, getSlackCode, parseReply } from '../../../../server/providers/team-chat/failures.ts'

const NOW = Date.parse('2026-05-01T12:00:00.000Z')
const SCHEMA = z.object({ channels: z.array(z.string()) })

function replied(
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {}
) {
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
  return { status, headers: new Headers(headers), bytes, receivedAt: NOW }
}

function failureOf(...asked: Parameters<typeof replied>): ProviderFailure {
  try {
    parseReply(replied(...asked), SCHEMA, 'conversations.list')
  } catch (error) {
    return error as ProviderFailure
  }
  throw new Error('no failure')
}

test('returns the value of an ok reply, and ignores other members', () => {
  const value = parseReply(replied({ ok: true, channels: ['C1'], new: 1, warning: 'w' }), SCHEMA, 'conversations.list')
  expect(value).toEqual({ channels: ['C1'] })
})

const REFUSALS: readonly [code: string, kind: ProviderFailure['kind']][] = [
  ['ratelimited', 'rate_limited'],
  ['invalid_auth', 'auth_expired'],
  ['not_authed', 'auth_expired'],
  ['token_expired', 'auth_expired'],
  ['token_revoked', 'grant_dead'],
  ['account_inactive', 'grant_dead'],
  ['missing_scope', 'scope_missing'],
  ['no_permission', 'scope_missing'],
  ['channel_not_found', 'item_gone'],
  ['not_in_channel', 'item_gone'],
  ['thread_not_found', 'item_gone'],
  ['user_not_visible', 'item_gone'],
  ['invalid_cursor', 'cursor_invalid'],
  ['internal_error', 'transient'],
  ['fatal_error', 'transient'],
  ['service_unavailable', 'transient'],
  ['team_added_to_org', 'transient'],
  ['invalid_arg_name', 'contract_broken'],
  ['invalid_ts_latest', 'contract_broken'],
  ['constructor', 'contract_broken'],
  ['an_error_of_next_year', 'contract_broken']
]

test('classifies a refusal with status 200 by its code', () => {
  for (const [error, kind] of REFUSALS) {
    const failure = failureOf({ ok: false, error })
    expect(failure, error).toMatchObject({ name: 'ProviderFailure', kind, retryAfterMs: undefined })
    expect(failure.message).toContain(error)
    expect(getSlackCode(failure)).toBe(error)
  }
  expect(Object.keys(FAILURE_KINDS).every((code) => /^[a-z_]+$/.test(code))).toBe(true)
})

test('explains that the user must reconnect, and which scope is missing', () => {
  expect(failureOf({ ok: false, error: 'token_revoked' }).message).toContain('connect the account again')
  expect(failureOf({ ok: false, error: 'missing_scope', needed: 'groups:history' }).message).toContain('groups:history')
})

test('classifies status codes', () => {
  const kinds = [401, 429, 302, 400, 404, 500, 503].map((status) => failureOf('<html>', { status }).kind)
  expect(kinds).toEqual(['auth_expired', 'rate_limited', ...Array(5).fill('transient')])
  expect(failureOf('<html>', { status: 404 }).message).toContain('a web page that is not from Slack')
  expect(failureOf({ ok: false, error: 'channel_not_found' }, { status: 404 }).kind).toBe('transient')
})

test('returns the wait in milliseconds', () => {
  expect(failureOf('', { status: 429, headers: { 'retry-after': '30' } }).retryAfterMs).toBe(30_000)
  expect(failureOf('', { status: 503, headers: { 'retry-after': '2' } }).retryAfterMs).toBe(2000)
  expect(failureOf('', { status: 429 }).retryAfterMs).toBeUndefined()
  const said = failureOf({ ok: false, error: 'ratelimited' }, { headers: { 'retry-after': '9' } })
  expect(said.retryAfterMs).toBe(9000)
})

test('treats a malformed reply as a broken contract, and does not repeat it in messages', () => {
  for (const body of ['', '<html>', '{"ok":true,"cha']) expect(failureOf(body).kind, body).toBe('transient')
  for (const body of ['null', '[]', '{"ok":1}', '{"ok":true}', { ok: true, channels: [7] }])
    expect(failureOf(body).kind, String(body)).toBe('contract_broken')
  const odd = failureOf({ ok: false, error: 'xoxp-made-up\u001b[31m\n'.repeat(9) })
  expect(odd.message).not.toMatch(/xoxp|\u001b|\n/)
})
