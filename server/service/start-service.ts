import { Fault } from '../../src/contract/faults.ts'
import type { Clock, Ids, Log } from '../../src/ports.ts'
import { type App, createApp } from '../http/create-app.ts'
import { allHandlers } from '../http/handlers/all-handlers.ts'
import type { Connectors } from '../http/handlers/handler-world.ts'
import { httpSettings } from '../http/request/http-settings.ts'
import type { Engine } from '../recall/engine/engine.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Sync } from '../sync/create-sync.ts'
import { isLoopbackHost } from './is-loopback-host.ts'
import { forwardToSandbox, isForSandbox } from './mount-sandbox.ts'
import type { OpenConnectors } from './open-connectors.ts'
import { type Reaper, startReaper } from './reaper.ts'
import { startScrub } from './scrubber.ts'
import type { ServerSettings } from './server-settings.ts'

type ServiceParts = {
  storage: Storage
  engine: Engine
  connectors: OpenConnectors
  sync: Sync
  world: { clock: Clock; ids: Ids; log: Log }
  settings: ServiceSettings
  /** The public address of the server, without a slash at the end. */
  publicUrl: string
  version: string
}

type ServiceSettings = Pick<
  ServerSettings,
  'host' | 'bodyBytesMax' | 'keyRequestsPerMinute' | 'ephemeralTtlMs' | 'drainMs'
>

/** A server without its socket. It answers requests, runs periodic work, and ends. */
export type Service = {
  fetch: App['fetch']
  refuse: App['refuse']
  /** Makes new requests return 503. Resolves when those in flight have ended or their time is over. */
  drain(): Promise<void>
}

/**
 * Composes the app of its parts and starts the periodic work. The sync ends with the service; the caller closes storage
 * and engine.
 */
export function startService({ storage, engine, connectors, sync, world, settings, ...more }: ServiceParts): Service {
  const { clock, ids } = world
  const { host, bodyBytesMax, keyRequestsPerMinute, ephemeralTtlMs, drainMs } = settings
  const loopback = isLoopbackHost(host)
  const reaper = startReaper({ storage, engine, world, sweep: connectors.sweep })
  const scrub = startScrub({ storage, world })
  const app = createApp({
    handlers: allHandlers({
      storage: waking(storage, reaper),
      connectors: { ...connectors, ...wakeAfterCalls(connectors, { sync, reaper }) },
      engine,
      clock,
      ids,
      ephemeralTtlMs,
      version: more.version
    }),
    storage,
    engine,
    connections: connectors.connections,
    sync,
    scrub,
    world,
    settings: { ...httpSettings(bodyBytesMax), keyRequestsPerMinute, loopback, ...more }
  })
  let draining = false
  return {
    async fetch(request, peer) {
      const { sandbox } = connectors
      if (sandbox === undefined || !isForSandbox(request)) return await app.fetch(request, peer)
      try {
        if (draining) throw new Fault('unavailable', 'the server is stopping', { retryAfter: 1 })
        return await forwardToSandbox(sandbox, request, { publicUrl: more.publicUrl, loopback })
      } catch (error) {
        if (error instanceof Fault) return app.refuse(error)
        throw error
      }
    },
    refuse: app.refuse,
    async drain() {
      draining = true
      const ended = Promise.all([app.drain(drainMs), sync.stop()])
      const stopped = Promise.all([reaper.stop(), scrub.stop()])
      await inTime(clock, ended, drainMs + ABORTED_MS)
      await stopped
    }
  }
}

/** Wakes the reaper after a collection is deleted, so that its unused grants are revoked immediately. */
function waking(storage: Storage, reaper: Reaper): Storage {
  return {
    ...storage,
    async deleteCollection(id) {
      const deleted = await storage.deleteCollection(id)
      if (deleted) reaper.wake()
      return deleted
    }
  }
}

/** Milliseconds that requests and syncs have to end after they were aborted. */
const ABORTED_MS = 5000

async function inTime(clock: Clock, work: Promise<unknown>, ms: number): Promise<void> {
  const done = new AbortController()
  const tooLate = clock.wait(ms, done.signal).catch(() => undefined)
  await Promise.race([work, tooLate])
  done.abort()
}

type ConnectorsToWake = Pick<Connectors, 'oauth' | 'connections' | 'syncs'>

/** Wakes the sync and the reaper after a call that makes work due, so that it begins at once. */
function wakeAfterCalls(
  { oauth, connections, syncs }: ConnectorsToWake,
  { sync, reaper }: { sync: Pick<Sync, 'wake'>; reaper: Pick<Reaper, 'wake'> }
): ConnectorsToWake {
  const thenSync = async <T>(done: Promise<T>): Promise<T> => {
    const value = await done
    sync.wake()
    return value
  }
  return {
    oauth: {
      ...oauth,
      receive: (...given) => thenSync(oauth.receive(...given)),
      confirm: (...given) => thenSync(oauth.confirm(...given))
    },
    connections: {
      ...connections,
      configure: (...given) => thenSync(connections.configure(...given)),
      async disconnect(...given) {
        const ended = await connections.disconnect(...given)
        if (ended.warnings.length > 0) reaper.wake()
        return ended
      }
    },
    syncs: {
      ...syncs,
      request: (id) => thenSync(syncs.request(id)),
      retry: (...given) => thenSync(syncs.retry(...given)),
      setPaused: (...given) => thenSync(syncs.setPaused(...given))
    }
  }
}
