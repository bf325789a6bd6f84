import fc from 'fast-check'
import { expect } from 'vitest'
import type { StoredCredential } from '../../server/storage/port/connector-storage.ts'

import type { Storage } from '../../server/storage/port/storage.ts'
import { toEpochMs } from '../../src/contract/epoch-ms.ts'
import { consent, ready } from './storage-connector-things.ts'
import { idAt, newCollection, type StorageTests } from './storage-place.ts'

const RUNS = process.env.SLOW ? 200 : 5

/** Few collections, accounts and clients, so that steps often concern the same ones. */
const STEP = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('consent' as const),
      into: fc.nat(2),
      account: fc.nat(2),
      client: fc.nat(1)
    })
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('disconnect' as const), pick: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), into: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('take' as const) }) }
)

type Step = typeof STEP extends fc.Arbitrary<infer One> ? One : never

/** Steps in sequence, each with simultaneous calls. */
const HISTORY = fc.array(fc.array(STEP, { minLength: 1, maxLength: 4 }), { maxLength: 10 })

/** Laws that hold for any operations on accounts by two servers at once. */
export const GRANT_LAWS: StorageTests = {
  'keeps each grant in use, waiting for removal, or handed out once': async (open) => {
    const storages = [await ready(open), await open()] as const
    const world = new World(storages)
    await fc.assert(
      fc.asyncProperty(HISTORY, async (history) => {
        await world.begin()
        for (const steps of history)
          await Promise.all(steps.map((step, at) => world.take(step, storages[at % 2] ?? storages[0])))
        await world.end()
      }),
      { numRuns: RUNS }
    )
  }
}

/** The credentials created and handed out in one history. */
class World {
  readonly #storage: Storage
  #round = 0
  #count = 0
  readonly #connections = new Set<string>()
  readonly #made = new Set<string>()
  #out: StoredCredential[] = []

  constructor([storage]: readonly [Storage, Storage]) {
    this.#storage = storage
  }

  async begin(): Promise<void> {
    this.#round++
    this.#connections.clear()
    this.#made.clear()
    this.#out = []
    for (const n of [0, 1, 2]) await this.#storage.createCollection(newCollection(this.#collection(n)))
  }

  async take(step: Step, storage: Storage): Promise<void> {
    if (step.kind === 'consent') return await this.#consent(storage, step)
    if (step.kind === 'take') return void this.#out.push(...(await storage.takeUnusedCredentials(9)))
    if (step.kind === 'delete') return void (await storage.deleteCollection(idAt(this.#collection(step.into))))
    const ids = [...this.#connections]
    const revoked = await storage.revokeConnection(ids[step.pick % Math.max(1, ids.length)] ?? idAt(1), toEpochMs(5000))
    if (revoked?.credential !== undefined) this.#out.push(revoked.credential)
  }

  /** Checks that every credential ever created is in exactly one place. */
  async end(): Promise<void> {
    this.#out.push(...(await this.#storage.takeUnusedCredentials(99)))
    const out = this.#out.map(({ id }) => id)
    expect(new Set(out).size).toBe(out.length)
    const used = await this.#usedCredentials()
    expect(used.filter((id) => out.includes(id))).toEqual([])
    for (const id of used) expect(await this.#storage.findCredential(id)).toBeDefined()
    for (const id of out) expect(await this.#storage.findCredential(id)).toBeUndefined()
    expect(new Set([...used, ...out])).toEqual(this.#made)
    for (const n of [0, 1, 2]) await this.#storage.deleteCollection(idAt(this.#collection(n)))
    await this.#storage.takeUnusedCredentials(99)
  }

  async #consent(storage: Storage, { into, account, client }: Extract<Step, { kind: 'consent' }>): Promise<void> {
    const n = ++this.#count
    const about = { account: { id: `${this.#round} ${account}`, name: '' }, clientId: `client ${client}` }
    const work = consent(storage, n, { into: this.#collection(into), ...about })
    const completion = await work.catch((error: { code?: string }) => {
      if (error.code !== 'not_found') throw error
      return { outcome: 'collection_gone' as const }
    })
    if (!('connection' in completion)) return
    const { connection, replaced } = completion
    this.#connections.add(connection.id)
    this.#made.add(connection.credentialId ?? '')
    if (replaced !== undefined) this.#out.push(replaced)
  }

  async #usedCredentials(): Promise<string[]> {
    const lists = [0, 1, 2].map((n) => this.#storage.listConnectionsInCollection(idAt(this.#collection(n))))
    return (await Promise.all(lists)).flat().flatMap(({ credentialId }) => credentialId ?? [])
  }

  #collection(n: number): number {
    return 1000 * this.#round + n
  }
}
