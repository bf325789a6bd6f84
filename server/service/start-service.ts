import type { Clock, Ids, Log } from '../../src/ports.ts'
import { type App, createApp } from '../http/create-app.ts'
import { allHandlers } from '../http/handlers/all-handlers.ts'
import { httpSettings } from '../http/http-settings.ts'
import type { Engine } from '../recall/engine.ts'
import type { Storage } from '../storage/storage.ts'
import { startReaper } from './reaper.ts'
import type { ServerSettings } from './server-settings-table.ts'

export type ServiceParts = {
  storage: Storage
  engine: Engine
  world: { clock: Clock; ids: Ids; log: Log }
  settings: ServiceSettings
  /** How the server is called from outside, without a slash at the end. */
  publicUrl: string
  version: string
}

type ServiceSettings = Pick<
  ServerSettings,
  'host' | 'bodyBytesMax' | 'keyRequestsPerMinute' | 'ephemeralTtlMs' | 'drainMs'
>

/** One server but for its socket: what answers requests, what is done from time to time, and how it ends. */
export type Service = {
  fetch: App['fetch']
  refuse: App['refuse']
  /** New requests get 503 from now on. Resolves when those in flight have ended or their time is over. */
  drain(): Promise<void>
}

/** Puts the app together out of its parts and starts what is done from time to time. Storage and engine stay the caller's. */
export function startService({ storage, engine, world, settings, ...more }: ServiceParts): Service {
  const { clock, ids } = world
  const { host, bodyBytesMax, keyRequestsPerMinute, ephemeralTtlMs, drainMs } = settings
  const app = createApp({
    handlers: allHandlers({ storage, engine, clock, ids, ephemeralTtlMs }),
    storage,
    engine,
    world,
    settings: { ...httpSettings(bodyBytesMax), keyRequestsPerMinute, loopback: isLoopback(host), ...more }
  })
  const reaper = startReaper({ storage, engine, world })
  return {
    fetch: app.fetch,
    refuse: app.refuse,
    async drain() {
      const stopped = reaper.stop()
      await inTime(clock, app.drain(drainMs), drainMs + ABORTED_MS)
      await stopped
    }
  }
}

/** How long requests may take to end after they were told to stop, in milliseconds. */
const ABORTED_MS = 5000

/** Whether only this machine reaches an address, however it is written. */
function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  const written = `http://${bare.includes(':') ? `[${bare}]` : bare}`
  const hostname = URL.canParse(written) ? new URL(written).hostname : ''
  return hostname === 'localhost' || hostname === '[::1]' || /^(127\.|\[::ffff:7f)/.test(hostname)
}

async function inTime(clock: Clock, work: Promise<void>, ms: number): Promise<void> {
  const done = new AbortController()
  const tooLate = clock.wait(ms, done.signal).catch(() => undefined)
  await Promise.race([work, tooLate])
  done.abort()
}
