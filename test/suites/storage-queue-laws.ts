import fc from 'fast-check'
import { expect } from 'vitest'
import type { Storage } from '../../server/storage/port/storage.ts'
import type { Hold } from '../../server/storage/port/sync-storage.ts'

import { toEpochMs } from '../../src/contract/epoch-ms.ts'
import { QueueModel } from './queue-model.ts'
import { ready } from './storage-connector-things.ts'
import type { StorageTests } from './storage-place.ts'
import { activeConnection, asked, ended } from './storage-queue-things.ts'

const RUNS = process.env.SLOW ? 400 : 6

/** The same as in `asked`, so that steps meet its end. */
const LEASE = 60

/** Three in collection 1, one in each of the others. */
const COLLECTIONS = [1, 1, 1, 2, 3]

const WHICH = fc.nat(COLLECTIONS.length - 1)
/** The index of a hold, from the newest. */
const HOLD = fc.nat(3)

/** Operations of servers and users. */
const STEP = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('claim' as const),
      owner: fc.constantFrom('one', 'two'),
      limit: fc.integer({ min: 1, max: 3 })
    })
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('tick' as const), by: fc.constantFrom(1, 20, LEASE) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('renew' as const), hold: HOLD }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      hold: HOLD,
      outcome: fc.constantFrom('succeeded' as const, 'failed' as const, 'stopped' as const),
      pause: fc.constantFrom(0, 20, 100)
    })
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('request' as const), which: WHICH }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pause' as const), which: WHICH, paused: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('change' as const), which: WHICH }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke' as const), which: WHICH }) }
)

type Step = typeof STEP extends fc.Arbitrary<infer One> ? One : never

/** Laws that hold for any operations on the queue. */
export const QUEUE_LAWS: StorageTests = {
  'gives each connection one holder, and starts every requested sync, after any operations': async (open) => {
    const storage = await ready(open)
    let rounds = 0
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { maxLength: 40, size: 'max' }), async (steps) => {
        const world = await begin(storage, rounds++)
        try {
          for (const step of steps) await world.take(step)
          await world.end()
        } finally {
          await world.leave()
        }
      }),
      { numRuns: RUNS }
    )
  }
}

async function begin(storage: Storage, round: number): Promise<World> {
  const connections: { id: string; collection: number }[] = []
  for (const [at, into] of COLLECTIONS.entries()) {
    const { id } = await activeConnection(storage, round * COLLECTIONS.length + at, { into, dueAt: 2000 })
    connections.push({ id, collection: into })
  }
  return new World(storage, connections, 1_000_000 * (round + 1))
}

/** One history, in the storage and in the model. */
class World {
  readonly #storage: Storage
  readonly #ids: string[]
  readonly #model: QueueModel
  readonly #holds: Hold[] = []
  #now = 2000
  #nextRun: number

  constructor(storage: Storage, connections: readonly { id: string; collection: number }[], firstRun: number) {
    this.#storage = storage
    this.#ids = connections.map(({ id }) => id)
    this.#model = new QueueModel(connections, this.#now)
    this.#nextRun = firstRun
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'tick') this.#now += step.by
    else if (step.kind === 'claim') await this.#claim(step.owner, step.limit)
    else if (step.kind === 'renew') await this.#renew(this.#holds.at(-1 - step.hold))
    else if (step.kind === 'end') await this.#end(step)
    else await this.#change(step, this.#ids[step.which] ?? '')
  }

  /** Checks each hold once more. Then all leases expire, and due connections are claimed by one server. */
  async end(): Promise<void> {
    for (const hold of this.#holds) await this.#renew(hold)
    for (const id of this.#ids) await this.#looksAlike(id)
    expect(await this.#storage.findNextDue(['cloud_drive'])).toBe(this.#model.nextDue())
    this.#now += 1000
    await this.#claim('three', 9)
  }

  /** Removes this history from the queue. */
  async leave(): Promise<void> {
    for (const id of this.#ids) await this.#storage.revokeConnection(id, toEpochMs(this.#now))
  }

  async #claim(owner: string, limit: number): Promise<void> {
    const asking = asked(this.#nextRun, { owner, limit, now: toEpochMs(this.#now) })
    this.#nextRun += limit
    const claims = await this.#storage.claimDue(asking)
    expect(claims.map(({ hold, trigger }) => ({ hold, trigger }))).toEqual(
      this.#model.claim(owner, asking, asking.runIds)
    )
    this.#holds.push(...claims.map(({ hold }) => hold))
  }

  async #renew(hold: Hold | undefined): Promise<void> {
    if (hold === undefined) return
    const until = this.#now + LEASE
    expect(await this.#storage.renewLease(hold, { now: toEpochMs(this.#now), until: toEpochMs(until) })).toBe(
      this.#model.renew(hold, until)
    )
  }

  async #end({ hold: newest, outcome, pause }: Extract<Step, { kind: 'end' }>): Promise<void> {
    const hold = this.#holds.at(-1 - newest)
    if (hold === undefined) return
    const end = ended(this.#now, { outcome, nextRunAt: toEpochMs(this.#now + pause) })
    expect(await this.#storage.endRun(hold, end)).toBe(this.#model.end(hold, end))
    await this.#looksAlike(hold.connectionId)
  }

  async #change(step: Extract<Step, { which: number }>, id: string): Promise<void> {
    const now = this.#now
    if (step.kind === 'request') {
      expect(await this.#storage.requestSync(id, toEpochMs(now))).toBe(this.#model.request(id, now))
    } else if (step.kind === 'pause') {
      const { paused } = step
      expect(await this.#storage.setPaused(id, { paused, now: toEpochMs(now) })).toBe(this.#model.pause(id, paused))
    } else if (step.kind === 'change') {
      const version = (await this.#storage.findConnection(id))?.version ?? 0
      const { changed } = await this.#storage.updateConnection(id, {
        version,
        config: {},
        status: 'active',
        now: toEpochMs(now)
      })
      expect(changed).toBe(this.#model.change(id, now))
    } else {
      await this.#storage.revokeConnection(id, toEpochMs(now))
      this.#model.revoke(id)
    }
    await this.#looksAlike(id)
  }

  async #looksAlike(id: string): Promise<void> {
    const schedule = await this.#storage.findSchedule(id)
    if (schedule === undefined) throw new Error(`there is no connection ${id}`)
    const { pausedAt, ...rest } = schedule
    expect({ ...rest, isPaused: pausedAt !== undefined }).toEqual(this.#model.schedule(id))
    const runs = await this.#storage.listRuns(id, { limit: 100 })
    expect(runs.filter(({ endedAt }) => endedAt === undefined).map((run) => run.id)).toEqual(
      rest.runId === undefined ? [] : [rest.runId]
    )
  }
}
