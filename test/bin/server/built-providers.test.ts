import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { PROVIDER_IDS, type ProviderId } from '../../../src/contract/provider-ids.ts'
import { ensureBuilt, PROGRAM } from '../../cli/built-program.ts'
import { temporaryFolder } from '../../device/device-kit.ts'
import { formFields } from '../../server/end-to-end/consent-kit.ts'

/** A bundle differs from imported modules. Here a built server connects to a built sandbox over sockets. */

const KEY = `mk_${'A'.repeat(43)}`

beforeAll(ensureBuilt)

/**
 * Runs the program until the test is over. Returns the JSON of its first line, and its end once it was told to stop.
 */
async function running(home: string, args: readonly string[], variables: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, HOME: home, MEMCTL_ADMIN_KEY: KEY, ...variables }
  const child = spawn(process.execPath, [PROGRAM, 'server', ...args, '--port', '0', '--json'], { cwd: home, env })
  const ended = once(child, 'close')
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(([code]): never => {
      throw new Error(`it ended with ${code}`)
    })
  ])
  const facts = JSON.parse(String(line)) as { origin: string; environment: Record<string, string> }
  const stop = async () => {
    child.kill('SIGTERM')
    return await ended
  }
  return { ...facts, stop }
}

type Reply = { id: string; auth_url: string; state: string; status: string; connection_id: string }

type Asked = { body?: unknown; method?: string }

/** Calls the server, which must succeed. */
async function ask<T = Reply>(origin: string, path: string, { body, method = 'GET' }: Asked = {}): Promise<T> {
  const headers = { 'x-api-key': KEY, ...(body !== undefined && { 'content-type': 'application/json' }) }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const reply = await fetch(`${origin}${path}`, { method, headers, ...sent })
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as T
}

/** Consents on the sandbox's page and returns the connection. */
async function linked(origin: string, provider: ProviderId, collectionId: string): Promise<string> {
  const asked = { method: 'POST', body: { collection_id: collectionId } }
  const begun = await ask(origin, `/v1/connectors/${provider}/connect`, asked)
  const fields = formFields(await (await fetch(begun.auth_url)).text())
  const account = fields.find(([name]) => name === 'account') ?? ['account', '']
  const hidden = fields.filter(([name]) => name !== 'account')
  const body = new URLSearchParams([...hidden, account, ['decision', 'approve']])
  await (await fetch(begun.auth_url.split('?')[0] ?? '', { method: 'POST', body })).text()
  const attempt = await ask(origin, `/v1/connectors/attempts?state=${encodeURIComponent(begun.state)}`)
  expect(attempt).toMatchObject({ status: 'completed' })
  return attempt.connection_id
}

test('links, browses and disconnects all four providers, and stops immediately', async () => {
  const home = temporaryFolder()
  const sandbox = await running(home, ['sandbox'])
  const { origin, stop } = await running(home, ['start'], sandbox.environment)
  const [collection] = await ask<Reply[]>(origin, '/v1/collections')
  const ids = new Map<ProviderId, string>()
  for (const provider of PROVIDER_IDS) ids.set(provider, await linked(origin, provider, collection?.id ?? ''))
  expect((await ask<unknown[]>(origin, `/v1/connectors/${ids.get('cloud_drive')}/folders`)).length).toBeGreaterThan(0)
  expect((await ask<unknown[]>(origin, `/v1/connectors/${ids.get('team_chat')}/channels`)).length).toBeGreaterThan(0)
  expect(await ask(origin, '/v1/vault/rotate', { method: 'POST' })).toMatchObject({ resealed: 4 })
  for (const id of ids.values()) await ask(origin, `/v1/connectors/${id}`, { method: 'DELETE' })
  const { requests } = await ask<{ requests: { operation: string; status: number }[] }>(
    sandbox.origin,
    '/sandbox/control/requests'
  )
  expect(requests.filter(({ operation, status }) => /revo/i.test(operation) && status === 200)).toHaveLength(4)
  expect(await stop()).toEqual([0, null])
})
