import { expect, test } from 'vitest'
import type { SandboxProvider } from '../../../server/sandbox/core/sandbox-provider.ts'
import { exchange, type SandboxKit, sandboxKit, withToken } from '../../suites/sandbox-provider-kit.ts'
import { tinySandboxProvider } from './tiny-sandbox-provider.ts'

const HOUR_MS = 3_600_000

test('issues tokens for the chosen account and the requested scopes', async () => {
  const kit = sandboxKit([tinySandboxProvider()])
  const { reply, accessToken } = await kit.consent('notes', { account: '1@example.com', scopes: ['notes.read'] })
  expect(reply).toMatchObject({ expires_in: 3600, scope: 'notes.read', account: 'A2' })
  expect(await list(kit, accessToken)).toMatchObject({ account: 'A2', scopes: ['notes.read'] })
})

test('refuses a missing, unknown, expired or revoked token with the cause', async () => {
  const kit = sandboxKit([tinySandboxProvider()])
  const { accessToken } = await kit.consent('notes')
  expect(await list(kit, undefined)).toMatchObject({ reason: 'unauthorized', token: 'absent' })
  expect(await list(kit, `${accessToken}x`)).toMatchObject({ token: 'unknown' })
  await kit.control('POST', '/clock', { advance_ms: HOUR_MS - 1 })
  expect(await list(kit, accessToken)).toMatchObject({ account: 'A1' })
  await kit.control('POST', '/clock', { advance_ms: 1 })
  expect(await list(kit, accessToken)).toMatchObject({ token: 'expired' })
  const { accessToken: next } = await kit.consent('notes')
  const revoked = await revoke(kit, next)
  expect(revoked.status).toBe(200)
  expect(await list(kit, next)).toMatchObject({ token: 'revoked' })
})

test('renews access with a refresh token any number of times, without replacing it', async () => {
  const kit = sandboxKit([tinySandboxProvider()])
  const { refreshToken = '' } = await kit.consent('notes', { account: 'A3' })
  for (const _ of [1, 2]) {
    const reply = (await (await refresh(kit, tinySandboxProvider(), refreshToken)).json()) as { access_token: string }
    expect(reply).not.toHaveProperty('refresh_token')
    expect(await list(kit, reply.access_token)).toMatchObject({ account: 'A3' })
  }
})

test('replaces a rotating refresh token, which works once', async () => {
  const sandboxProvider = tinySandboxProvider({ oauth: { rotatesRefreshTokens: true } })
  const kit = sandboxKit([sandboxProvider])
  const { refreshToken = '' } = await kit.consent('notes')
  const first = (await (await refresh(kit, sandboxProvider, refreshToken)).json()) as { refresh_token: string }
  expect((await refresh(kit, sandboxProvider, refreshToken)).status).toBe(400)
  expect((await refresh(kit, sandboxProvider, first.refresh_token)).status).toBe(200)
})

test('invalidates all tokens of a revoked grant, even its refresh token', async () => {
  const kit = sandboxKit([tinySandboxProvider()])
  const { accessToken, refreshToken = '' } = await kit.consent('notes')
  expect((await revoke(kit, refreshToken)).status).toBe(200)
  expect(await list(kit, accessToken)).toMatchObject({ token: 'revoked' })
  expect(await (await refresh(kit, tinySandboxProvider(), refreshToken)).json()).toMatchObject({
    error: 'invalid_grant'
  })
  expect((await revoke(kit, 'nothing of ours')).status).toBe(400)
})

test('accepts tokens of sandboxes with the same secret only', async () => {
  const [one, two] = [sandboxKit([tinySandboxProvider()]), sandboxKit([tinySandboxProvider()])]
  const { accessToken } = await one.consent('notes', { account: 'A2' })
  expect(await list(two, accessToken)).toMatchObject({ account: 'A2' })
  const [content, mac = ''] = accessToken.split('.')
  const forged = `${btoa(atob(content ?? '').replace('A2', 'A3')).replace(/=+$/, '')}.${mac}`
  expect(await list(two, forged)).toMatchObject({ token: 'unknown' })
})

test('rejects a token of another provider', async () => {
  const kit = sandboxKit([tinySandboxProvider(), tinySandboxProvider({ id: 'mailbox' })])
  const { accessToken } = await kit.consent('mailbox')
  expect(await list(kit, accessToken)).toMatchObject({ token: 'unknown' })
})

async function list(kit: SandboxKit, token: string | undefined): Promise<unknown> {
  const fetch = token === undefined ? kit.sandbox.fetch : withToken(kit.sandbox.fetch, token)
  return await (await fetch(new Request(`${kit.sandbox.provider('notes').apiUrl}/notes`))).json()
}

function revoke(kit: SandboxKit, token: string): Promise<Response> {
  const address = kit.sandbox.provider('notes').revokeUrl ?? ''
  return kit.sandbox.fetch(new Request(address, { method: 'POST', body: new URLSearchParams({ token }) }))
}

function refresh(kit: SandboxKit, sandboxProvider: SandboxProvider, token: string): Promise<Response> {
  return exchange(kit.sandbox, sandboxProvider, { grant_type: 'refresh_token', refresh_token: token })
}
