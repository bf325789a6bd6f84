import { expect } from 'vitest'
import { PROVIDER_IDS, type ProviderId } from '../../../src/contract/provider-ids.ts'
import { connect } from './consent-kit.ts'
import type { TestServer } from './server-kit.ts'
import { type Start, serverTest } from './server-test.ts'

/** Tests tokens that a provider refuses early, in its own format, on any storage that `start` gives a server. */
export function refusedTokensSuite(start: Start): void {
  for (const provider of PROVIDER_IDS) {
    serverTest(start, `${provider}: renews a refused access token once, without a visible error`, async (server) => {
      const id = await connect(server, provider)
      const before = await account(server, { provider, id })
      await server.call('DELETE', '/sandbox/control/requests')
      await server.call('POST', '/sandbox/control/faults', { body: { provider, kind: 'expired_token' } })
      expect(await account(server, { provider, id })).toEqual(before)
      const { requests } = (await server.call('GET', '/sandbox/control/requests')).json
      const operations = requests.map(({ operation }: { operation: string }) => operation)
      expect(operations.filter((operation: string) => operation === 'oauth.token')).toHaveLength(1)
    })
  }
}

/** Asks the provider for the account of a connection. */
async function account({ connectors, storage, clock }: TestServer, of: { provider: ProviderId; id: string }) {
  const enabled = connectors.enabled.get(of.provider)
  const credentialId = (await storage.findConnection(of.id))?.credentialId ?? ''
  if (enabled === undefined) throw new Error(`${of.provider} is not enabled`)
  const log = { error: () => undefined, info: () => undefined, debug: () => undefined }
  const { signal } = new AbortController()
  const fetch = connectors.oauth.authorizedFetch(credentialId)
  return await enabled.provider.identify({ fetch, apiUrl: enabled.apiUrl, clock, log, signal })
}
