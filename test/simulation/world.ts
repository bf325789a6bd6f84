import type { KeyRingFile } from '../../server/oauth/vault/key-ring-file.ts'
import { createSandbox } from '../../server/sandbox/create-sandbox.ts'
import type { Sandbox } from '../../server/sandbox/sandbox.ts'
import { openSqliteStorage } from '../../server/storage/open-sqlite-storage.ts'
import type { Storage } from '../../server/storage/port/storage.ts'
import { wrapStorage } from '../../server/storage/wrap-storage.ts'
import { Fault } from '../../src/contract/faults.ts'
import { PROVIDER_IDS } from '../../src/contract/provider-ids.ts'
import type { Clock, Files } from '../../src/ports.ts'
import { type Accounts, createAccounts } from './accounts.ts'
import { type ArmedFaults, createArmedFaults, type NodeName } from './faults.ts'
import type { Mutation } from './mutation.ts'
import { createProviderLine } from './network.ts'
import { EPOCH_MS, type LogLine, ORIGIN, type SimulatedNode, startNode } from './node.ts'
import { createMachineClock, createScheduler, type Life, type Scheduler } from './scheduler.ts'
import { createStorageModel } from './storage/storage-model.ts'
import { createStorageLine, type Watch } from './storage-line.ts'

/**
 * The environment of one simulation: two nodes over one storage, the four sandbox providers, and the connections
 * between them.
 */
export type World = {
  scheduler: Scheduler
  /** The clock of the observer, which never jumps. */
  clock: Clock
  accounts: Accounts
  sandbox: Sandbox
  faults: ArmedFaults
  /** The storage itself, which never fails, for the observer. */
  storage: Storage
  nodes: Record<NodeName, SimulatedNode | undefined>
  adminKey: string
  log: LogLine[]
  /** Secrets that no log may contain. */
  secrets: Set<string>
  /** Violations that the network has observed. */
  complaints: string[]
  /** The number of nodes that have crashed. */
  crashes: number
  /** Starts a node. A crashed node is restarted shortly afterwards. */
  start(name: NodeName): Promise<void>
  crash(name: NodeName): void
  /** How far the clocks of the nodes are ahead, in milliseconds. */
  ahead: Record<NodeName, number>
  /**
   * The most that they were ever ahead: requests that a node made before its clock was set back take effect afterwards.
   */
  aheadMost: Record<NodeName, number>
  /** Requests a fault of a sandbox provider. */
  order(fault: Record<string, unknown>): Promise<void>
  dropOrders(): Promise<void>
  close(): Promise<void>
}

export type OpenStorage = (clock: Clock) => Promise<Storage>

export type WorldOptions = { seed: number; openStorage: OpenStorage; mutation: Mutation; watch(world: World): Watch }

const SANDBOX_BASE = 'https://sandbox.example'

export async function createWorld({ seed, openStorage, mutation, watch }: WorldOptions): Promise<World> {
  const scheduler = createScheduler(seed)
  const accounts = createAccounts()
  const watcher: Life = { isAlive: true, name: 'watcher' }
  const clock = createMachineClock(scheduler, { life: watcher, epochMs: EPOCH_MS, aheadMs: () => 0 })
  const sandbox = openSandbox({ scheduler, accounts, clock })
  const adminKey = `mk_${Buffer.from(hexFrom(scheduler, 'admin', 32), 'hex').toString('base64url')}`
  const world: World = {
    ...{ scheduler, clock, accounts, sandbox, adminKey, faults: createArmedFaults(), log: [] },
    storage: wrapStorage(await openStorage(clock), (call) => scheduler.attend(call())),
    secrets: new Set([adminKey, sandbox.provider('notes').clientSecret]),
    ...{ nodes: { a: undefined, b: undefined }, complaints: [], crashes: 0 },
    ahead: { a: 0, b: 0 },
    aheadMost: { a: 0, b: 0 },
    start: (name) => nodes.start(name),
    crash(name) {
      const node = world.nodes[name]
      if (node !== undefined) nodes.crash(node.life)
    },
    order: (fault) => controlFaults(sandbox, fault),
    dropOrders: () => controlFaults(sandbox, undefined),
    close: () => world.storage.close()
  }
  const nodes = createNodeStarter(world, { watch: watch(world), mutate: mutation() })
  return world
}

type SandboxParts = { scheduler: Scheduler; accounts: Accounts; clock: Clock }

function openSandbox({ scheduler, accounts, clock }: SandboxParts): Sandbox {
  return createSandbox({
    base: SANDBOX_BASE,
    secret: new Uint8Array(32).fill(7),
    world: { clock, ids: { randomHex: (bytes) => hexFrom(scheduler, 'sandbox', bytes) } },
    sandboxProviders: accounts.providers,
    control: { allow: async () => true }
  })
}

/** Requests a fault of the sandbox, or cancels all requests. */
async function controlFaults(sandbox: Sandbox, order: unknown): Promise<void> {
  const init = order === undefined ? { method: 'DELETE' } : { method: 'POST', body: JSON.stringify(order) }
  const reply = await sandbox.fetch(new Request(`${SANDBOX_BASE}/control/faults`, init))
  if (!reply.ok) throw new Error(`the sandbox refused an order: ${await reply.text()}`)
}

type NodeStarter = { start(name: NodeName): Promise<void>; crash(life: Life): void }

/** Starts the nodes, and restarts each that crashed. */
function createNodeStarter(
  world: World,
  { watch, mutate }: { watch: Watch; mutate: ReturnType<Mutation> }
): NodeStarter {
  const { scheduler, faults, sandbox, adminKey } = world
  const storage = mutate.engine?.(world.storage) ?? world.storage
  const keyFile = createKeyFile(world.secrets)
  const variables = toVariables(sandbox, scheduler)
  const starts = { a: 0, b: 0 }
  return { start, crash }

  async function start(name: NodeName): Promise<void> {
    starts[name] += 1
    const node = await startNode({
      ...{ scheduler, keyFile, adminKey, variables, name: `${name}${starts[name]}` },
      storage: (life, clock) =>
        mutate.storage(createStorageLine({ scheduler, faults, storage, watch, crash }, life), clock),
      fetch: (life) => createProviderLine(world, (request) => fetchAndNote(world, request), life),
      aheadMs: () => world.ahead[name],
      onLog: (line) => void world.log.push(line)
    })
    world.nodes[name] = { ...node, service: mutate.service(node.service) }
  }

  function crash(life: Life): void {
    if (!life.isAlive) return
    const name = life.name.startsWith('a') ? 'a' : 'b'
    scheduler.note(`crash ${life.name}`)
    life.isAlive = false
    world.crashes += 1
    if (world.nodes[name]?.life === life) world.nodes[name] = undefined
    restart(name)
  }

  function restart(name: NodeName): void {
    const ms = 500 + scheduler.chance.next(`${name} restart`).number(15_000)
    scheduler.after({ name: `restart ${name}`, ms }, () => void startAgain(name))
  }

  /** A start fails while the storage is unavailable, and is repeated as by an operator. */
  async function startAgain(name: NodeName): Promise<void> {
    try {
      await start(name)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      restart(name)
    }
  }
}

/**
 * Sends a request to the sandbox, which dates its replies, and records the tokens that it issues: no log may contain
 * them.
 */
async function fetchAndNote({ sandbox, secrets, clock }: World, request: Request): Promise<Response> {
  const response = await sandbox.fetch(request)
  response.headers.set('date', new Date(clock.now()).toUTCString())
  if (!request.url.includes('token')) return response
  const text = await response
    .clone()
    .text()
    .catch(() => '')
  for (const [, token = ''] of text.matchAll(/"(?:access|refresh)_token":"([^"]{20,})"/g)) secrets.add(token)
  return response
}

function hexFrom({ chance }: Scheduler, name: string, bytes: number): string {
  const drawn = chance.next(name)
  return Array.from({ length: bytes }, () => drawn.number(256).toString(16).padStart(2, '0')).join('')
}

/** The key file in memory that all nodes share. Its keys are secrets. */
function createKeyFile(secrets: Set<string>): KeyRingFile {
  let bytes: Uint8Array | undefined
  return {
    path: '/shared/server.key',
    read: async () => bytes && { bytes, mode: 0o600 },
    update: async (change) => {
      bytes = change(bytes) ?? bytes
      for (const [secret] of Buffer.from(bytes ?? [])
        .toString()
        .matchAll(/[\w+/=-]{40,}/g))
        secrets.add(secret)
    }
  }
}

/**
 * Returns the settings with which a node uses the sandbox as the real services. The seed decides whether the servers
 * limit the rate of requests, and whether a person must confirm a connection.
 */
function toVariables(sandbox: Sandbox, { chance }: Scheduler): Record<string, string> {
  const variables: Record<string, string> = {
    MEMCTL_RATE_LIMIT: chance.next('rate limit').percent(15) ? '8/min' : 'off',
    MEMCTL_CONNECT_CONFIRM: chance.next('confirm').percent(30) ? 'always' : 'auto',
    MEMCTL_PUBLIC_URL: ORIGIN
  }
  for (const id of PROVIDER_IDS) {
    const { clientId, clientSecret, authorizeUrl, tokenUrl, revokeUrl, apiUrl } = sandbox.provider(id)
    const name = (part: string): string => `MEMCTL_${id.toUpperCase()}_${part}`
    Object.assign(variables, {
      [name('CLIENT_ID')]: clientId,
      [name('CLIENT_SECRET')]: clientSecret,
      [name('AUTHORIZE_URL')]: authorizeUrl,
      [name('TOKEN_URL')]: tokenUrl,
      ...(revokeUrl !== undefined && { [name('REVOKE_URL')]: revokeUrl }),
      [name('API_URL')]: apiUrl
    })
  }
  return variables
}

/** The model of a database. */
export const openModel: OpenStorage = async (clock) => createStorageModel().open({ clock })

/** The real SQLite engine, in memory. */
export const openMemorySqlite: OpenStorage = async (clock) =>
  await openSqliteStorage({ path: ':memory:', files: NO_FILES, clock })

/** A machine on which the database file is neither missing nor present, because SQLite keeps it in memory. */
const NO_FILES = {
  find: () => undefined,
  findEntry: () => undefined,
  open: () => 0,
  close: () => undefined
} as unknown as Files
