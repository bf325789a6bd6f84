import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { createOAuth } from '../../../server/oauth/create-oauth.ts'
import type { OAuth } from '../../../server/oauth/oauth.ts'
import { openVault } from '../../../server/oauth/vault/open-vault.ts'
import { rotateKeyRing } from '../../../server/oauth/vault/rotate-key-ring.ts'
import { openPostgresStorage } from '../../../server/storage/open-postgres-storage.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import { postgresSchema } from '../../setup/postgres-schema.ts'
import { idAt } from '../../suites/storage-place.ts'
import { ASKED, connect, furtherNode, type OAuthSetup, setUpOAuth } from './oauth-kit.ts'

const ENGINES = ['SQLite', 'PostgreSQL'] as const
const NODES = 4
const HOUR_MS = 3_600_000

type Nodes = OAuthSetup & { nodes: OAuth[]; storages: Storage[] }

/** Opens four servers over one database and one key file. In PostgreSQL each has its own connections. */
async function fourNodes(engine: (typeof ENGINES)[number], { skip }: TestContext): Promise<Nodes> {
  const schema = engine === 'PostgreSQL' ? await postgresSchema() : undefined
  if (schema && 'reason' in schema) return skip(schema.reason)
  if (schema) onTestFinished(() => schema.remove())
  const open = schema && (() => openPostgresStorage({ url: schema.url, clock: nodeClock, connections: 4 }))
  const setup = await setUpOAuth({ open, wait: nodeClock.wait })
  const storages = [setup.storage]
  const nodes = [setup.oauth]
  for (let n = 1; n < NODES; n++) {
    const storage = open ? await open() : setup.storage
    if (open) onTestFinished(() => storage.close())
    storages.push(storage)
    nodes.push(createOAuth(await furtherNode(setup, storage)))
  }
  return { ...setup, nodes, storages }
}

const nodeAt = ({ nodes, oauth }: Nodes, n: number): OAuth => nodes[n % nodes.length] ?? oauth

async function ask(oauth: OAuth, credentialId: string): Promise<number> {
  return (await oauth.authorizedFetch(credentialId)(new Request('https://api.example/v1/me'))).status
}

test.for(ENGINES)('exchanges one of forty simultaneous callbacks on four nodes: %s', async (engine, context) => {
  const setup = await fourNodes(engine, context)
  const { authUrl } = await setup.oauth.begin(ASKED)
  const query = setup.server.approve(authUrl)
  const calls = Array.from({ length: 40 }, (_, n) => nodeAt(setup, n).receive('cloud_drive', query))
  const outcomes = (await Promise.all(calls)).map(({ outcome }) => outcome)
  expect(outcomes.filter((outcome) => outcome !== 'replayed')).toEqual(['connected'])
  expect(setup.server.counts.get('grant authorization_code')).toBe(1)
})

test.for(ENGINES)(
  'refreshes once for forty simultaneous calls on four nodes, repeatedly: %s',
  async (engine, context) => {
    const setup = await fourNodes(engine, context)
    const { credentialId } = await connect(setup)
    for (let round = 1; round <= 3; round++) {
      await setup.clock.pass(HOUR_MS)
      const calls = Array.from({ length: 40 }, (_, n) => ask(nodeAt(setup, n), credentialId))
      expect(new Set(await Promise.all(calls))).toEqual(new Set([200]))
      expect(setup.server.counts.get('grant refresh_token')).toBe(round)
    }
  }
)

test.for(ENGINES)('loses nothing when rotations run during renewals and consents: %s', async (engine, context) => {
  const setup = await fourNodes(engine, context)
  const accounts = ['ada', 'bob', 'cy', 'dee', 'eve', 'flo']
  const linked = new Map<string, string>()
  for (const account of accounts) linked.set(account, (await connect(setup, { account })).credentialId)
  const waiting = await Promise.all(accounts.map((_, n) => nodeAt(setup, n).begin(ASKED)))
  for (let round = 0; round < 5; round++) {
    await setup.clock.pass(HOUR_MS / 15)
    setup.server.endAccess(accounts[round] ?? '')
    const rotations = setup.storages.slice(0, 2).map((storage) => rotation(setup, storage))
    const calls = [...linked.values()].map((id, n) => ask(nodeAt(setup, n + round), id))
    const begun = setup.nodes.map((node) => node.begin({ ...ASKED, collectionId: idAt(2) }))
    await Promise.all([...rotations, ...begun])
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200]))
    const { authUrl } = waiting[round] ?? (await setup.oauth.begin(ASKED))
    if (round < 2) await consent(nodeAt(setup, round + 1), setup, authUrl)
  }
  const { current, used } = await setup.storage.listVaultKeys()
  expect(used).toEqual([current])
  await setup.clock.pass(HOUR_MS)
  for (const [n, id] of [...linked.values()].entries()) expect(await ask(nodeAt(setup, n), id)).toBe(200)
})

async function rotation({ parts, keyRing }: OAuthSetup, storage: Storage): Promise<void> {
  const vault = await openVault({ file: keyRing, storage, world: parts.world, alone: false })
  await rotateKeyRing({ vault, storage, world: parts.world })
}

/** Consents with a state from before the rotations. */
async function consent(node: OAuth, { server }: OAuthSetup, authUrl: string): Promise<void> {
  expect(await node.receive('cloud_drive', server.approve(authUrl, 'gus'))).toMatchObject({ outcome: 'connected' })
}
