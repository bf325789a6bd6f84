import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rotateKeyRing } from '../../../server/oauth/vault/rotate-key-ring.ts'
import { epochNow } from '../../../src/contract/epoch-ms.ts'
import { idAt } from '../../suites/storage-place.ts'
import { ASKED, connect, deepText, type OAuthSetup, setUpOAuth } from './oauth-kit.ts'
import { PROVIDER_KINDS, type ProviderKind } from './provider-kinds.ts'

const ME = 'https://api.example/v1/me'

test.for(Object.keys(PROVIDER_KINDS) as ProviderKind[])(
  'leaks no secret into a log line, an outcome, an error, an address or the storage: %s',
  async (kind) => {
    const setup = await setUpOAuth({ kind })
    const shown = await wholeLife(setup)
    const keys = JSON.parse(Buffer.from((await setup.keyRing.read())?.bytes ?? []).toString()).keys as { key: string }[]
    const secrets = [...setup.server.secrets, ...keys.map(({ key }) => key)]
    expect(secrets.length).toBeGreaterThan(10)
    const database = readFileSync(setup.path).toString('latin1') + readFileSync(`${setup.path}-wal`).toString('latin1')
    expect(database).toContain('Account of ada')
    const places = {
      logged: setup.logged.join('\n'),
      shown: deepText(shown),
      urls: setup.server.urls.join('\n'),
      database
    }
    for (const [place, text] of Object.entries(places))
      for (const secret of secrets) expect(text.includes(secret), `${secret} in ${place}`).toBe(false)
  }
)

/** Takes an account through success and failure of every kind. Returns everything that others can see of it. */
async function wholeLife(setup: OAuthSetup): Promise<unknown[]> {
  const { oauth, server, clock, storage } = setup
  const shown: unknown[] = []
  const { credentialId, connectionId } = await connect(setup)
  await connect(setup, { collection: 2 })
  const ask = async (): Promise<void> => {
    const reply = await oauth
      .authorizedFetch(credentialId)(new Request(ME))
      .catch((error: unknown) => error)
    shown.push(reply instanceof Response ? await reply.text() : reply)
  }
  await ask()
  await clock.pass(7_200_000)
  await ask()
  server.endAccess('ada')
  await ask()
  await rotateKeyRing({ ...setup.parts, vault: setup.vault })
  await ask()
  shown.push(await badConsents(setup))
  server.endGrants('ada')
  await ask()
  await connect(setup)
  shown.push(await storage.listConnectionsInCollection(idAt(1)))
  for (const connection of [
    ...(await storage.listConnectionsInCollection(idAt(1))),
    ...(await storage.listConnectionsInCollection(idAt(2)))
  ]) {
    const ended = await storage.revokeConnection(connection.id, epochNow(clock))
    if (ended?.credential) shown.push(await oauth.revoke(ended.credential, new AbortController().signal))
  }
  shown.push(await storage.findConnection(connectionId))
  await oauth.sweep(new AbortController().signal)
  return shown
}

async function badConsents({ oauth, server, enabled }: OAuthSetup): Promise<unknown[]> {
  const consent = async (change: (query: URLSearchParams) => void): Promise<unknown> => {
    const { authUrl, state } = await oauth.begin(ASKED)
    const query = server.approve(authUrl, 'bob')
    change(query)
    const outcome = await oauth.receive('cloud_drive', query)
    return [outcome, { ...(await oauth.attempt(state)), verifier: undefined }]
  }
  const echo = async (query: URLSearchParams): Promise<Response> =>
    Response.json({ error: 'invalid_request', error_description: `the code was ${query.get('code')}` }, { status: 400 })
  const { fetch } = enabled
  const wrong = [
    await consent((query) => query.set('iss', 'https://evil.example')),
    await consent((query) => query.append('code', query.get('code') ?? '')),
    await consent((query) => {
      enabled.fetch = async (request) => (request.url.endsWith('/token') ? await echo(query) : await fetch(request))
    })
  ]
  enabled.fetch = fetch
  return wrong
}
