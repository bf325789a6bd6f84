import { expect, test } from 'vitest'
import { nodeFetch } from '../../../bin/node/http/node-fetch.ts'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { nodeIds } from '../../../bin/node/node-ids.ts'
import { listServerProviders } from '../../../bin/server/list-server-providers.ts'
import { runSandbox } from '../../../bin/server/run-sandbox.ts'
import { readServerSettings } from '../../../server/service/read-server-settings.ts'
import { PROVIDER_IDS } from '../../../src/contract/provider-ids.ts'
import { faultOf, temporaryFolder } from '../../device/device-kit.ts'

type Facts = { origin: string; environment: Readonly<Record<string, string>> }

const world = { clock: nodeClock, ids: nodeIds }

/** Runs a sandbox during `work`. */
async function withSandbox(work: (facts: Facts) => Promise<void>): Promise<void> {
  const over = new AbortController()
  await runSandbox(
    { host: '127.0.0.1', port: 0 },
    {
      signal: over.signal,
      async onReady(facts) {
        await work(facts)
        over.abort()
      }
    },
    world
  )
}

function settingsOf(variables: Readonly<Record<string, string>>) {
  const folder = temporaryFolder()
  const folders = { current: folder, config: folder, data: folder }
  return readServerSettings({ settings: variables, files: nodeFiles, folders }).settings
}

test('runs the sandbox alone on a port, with variables that point a server at all of it', async () => {
  await withSandbox(async ({ origin, environment }) => {
    const providers = listServerProviders(settingsOf(environment))
    expect(providers.map(({ provider, enabled, sandbox }) => [provider, enabled, sandbox])).toEqual(
      PROVIDER_IDS.map((id) => [id, true, false])
    )
    for (const { authorize_url, token_url, api_url, client_secret_set } of providers) {
      expect(client_secret_set).toBe(true)
      for (const address of [authorize_url, token_url, api_url]) expect(new URL(address).origin).toBe(origin)
      expect((await nodeFetch(new Request(authorize_url))).status).toBeLessThan(500)
    }
    const accounts = await nodeFetch(new Request(`${origin}/sandbox/control/accounts`))
    expect([accounts.status, JSON.stringify(await accounts.json())]).toEqual([200, expect.stringContaining('mailbox')])
  })
})

test('stops answering once it was told to stop', async () => {
  let origin = ''
  await withSandbox(async (facts) => {
    origin = facts.origin
  })
  await expect(nodeFetch(new Request(origin))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('reports a port that is in use', async () => {
  await withSandbox(async ({ origin }) => {
    const port = Number(new URL(origin).port)
    const run = () =>
      runSandbox({ host: '127.0.0.1', port }, { signal: AbortSignal.abort(), onReady: async () => undefined }, world)
    expect(await faultOf(run)).toMatchObject({ code: 'address_in_use' })
  })
})

test("lists the sandbox's providers by default, at the server's addresses", () => {
  const providers = listServerProviders(settingsOf({ MEMCTL_SERVER_PORT: '9123' }))
  expect(providers.map(({ provider }) => provider)).toEqual([...PROVIDER_IDS])
  for (const { provider, sandbox, api_url } of providers)
    expect([sandbox, api_url]).toEqual([true, expect.stringContaining(`http://127.0.0.1:9123/sandbox/${provider}`)])
})
