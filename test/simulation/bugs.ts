import { RECORD_KINDS } from '../../server/storage/port/record-batch.ts'
import type { Storage } from '../../server/storage/port/storage.ts'
import type { Hold } from '../../server/storage/port/sync-storage.ts'
import { addMillis, type EpochMs } from '../../src/contract/epoch-ms.ts'
import { type Mutation, NO_MUTATION } from './mutation.ts'

/*
 * Bugs that are introduced on purpose, to show that the simulation finds them. Each is a small change around a port of
 * a node, so the product needs no switch for it. Each simulation creates its own bugs, and both nodes share the state
 * of one.
 */

/** A request whose client left keeps its slot: the host does not tell the server that the connection closed. */
const leakedSlot: Mutation = () => ({
  storage: (storage) => storage,
  service: (service) => ({
    ...service,
    fetch(request, peer) {
      const { url, method, headers } = request
      const body = request.body === null ? {} : { body: request.body, duplex: 'half' as const }
      const sent = peer?.sent?.then((isWhole) => isWhole || new Promise<boolean>(() => undefined))
      const deafPeer = { address: peer?.address ?? '', ...(sent !== undefined && { sent }) }
      return service.fetch(new Request(url, { method, headers, ...body }), deafPeer)
    }
  })
})

/** The time of the next run contains a fraction of a millisecond. */
const fractionalTimes = mutateStorage((storage) => ({
  endRun: (hold, end) => storage.endRun(hold, { ...end, nextRunAt: (end.nextRunAt + 0.5) as EpochMs })
}))

/** A server claims connections that another one holds, as if every lease expired at once. */
const ignoredLease = mutateStorage((storage) => ({
  claimDue: (asked) => {
    const ahead = 120_000
    return storage.claimDue({ ...asked, now: addMillis(asked.now, ahead), until: addMillis(asked.until, ahead) })
  }
}))

/** An item has no reference to the last of its memories, so that nothing deletes it. */
const lostReference = mutateStorage((storage) => ({
  commitPage: (hold, page) =>
    storage.commitPage(hold, {
      ...page,
      items: page.items.map((item) => {
        const { state } = item
        return state.kind === 'synced' && state.to > state.from
          ? { ...item, state: { ...state, to: state.to - 1 } }
          : item
      })
    })
}))

/** A forget is acknowledged before it is written, and is lost if the node crashes in between. */
const lazyForget: Mutation = () => ({
  service: (service) => service,
  storage: (storage, clock) => ({
    ...storage,
    async append(collectionId, batch) {
      if (!batch.kinds.includes(RECORD_KINDS.forget)) return await storage.append(collectionId, batch)
      const later = clock.wait(2000).then(() => storage.append(collectionId, batch))
      later.catch(() => undefined)
      return { outcomes: new Uint8Array(batch.count), seq: 0 }
    }
  })
})

/** A failed item is tried again with the next run, however often it has failed. */
const noCooldown = mutateStorage((storage) => ({
  commitPage: (hold, page) =>
    storage.commitPage(hold, {
      ...page,
      items: page.items.map((item) => {
        const { state } = item
        return state.kind === 'failed' ? { ...item, state: { ...state, nextTryAt: page.now } } : item
      })
    })
}))

/** The mass-deletion guard always counts zero. */
const noGuard = mutateStorage((storage) => ({
  countUnseen: async (connectionId, unseen) => ({ ...(await storage.countUnseen(connectionId, unseen)), unseen: 0 })
}))

/** The storage commits a page of a run that has lost its lease. */
const ignoredFence = mutateEngine((storage) => {
  const holds = new Map<string, Hold>()
  return {
    async claimDue(asked) {
      const claims = await storage.claimDue(asked)
      for (const { hold } of claims) holds.set(hold.connectionId, hold)
      return claims
    },
    commitPage: (hold, page) => storage.commitPage(holds.get(hold.connectionId) ?? hold, page)
  }
})

/** The cursor moves past deletions that are not stored. */
const skippedDeletions = mutateStorage((storage) => ({
  commitPage: (hold, page) => storage.commitPage(hold, { ...page, gone: [], emptied: [] })
}))

/** A refresh token that the provider rotated is not stored, so that the next refresh uses the one before. */
const lostRotation = mutateStorage((storage) => ({
  async saveRefreshed(id, { owner }) {
    await storage.endRefresh(id, { owner, error: undefined })
    return 'saved'
  }
}))

/** The bugs by name. */
export const BUGS: Readonly<Record<string, Mutation>> = {
  leakedSlot,
  fractionalTimes,
  ignoredLease,
  lostReference,
  lazyForget,
  noCooldown,
  noGuard,
  ignoredFence,
  skippedDeletions,
  lostRotation
}

/** Replaces methods of the engine that both nodes share. */
function mutateEngine(change: (storage: Storage) => Partial<Storage>): Mutation {
  return () => ({ ...NO_MUTATION(), engine: (storage) => ({ ...storage, ...change(storage) }) })
}

/** Replaces methods of the storage that one node calls. */
function mutateStorage(change: (storage: Storage) => Partial<Storage>): Mutation {
  return () => ({ ...NO_MUTATION(), storage: (storage) => ({ ...storage, ...change(storage) }) })
}
