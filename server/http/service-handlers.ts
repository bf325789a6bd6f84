import type { EpochMs } from '../../src/contract/epoch-ms.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { DocumentsState } from '../../src/documents/port/document-reader.ts'
import type { Clock } from '../../src/ports.ts'
import type { CollectionEngine } from '../recall/engine/engine.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Sync } from '../sync/create-sync.ts'
import type { Handlers } from './handler.ts'
import type { Counters, Gauges, Metrics } from './metrics.ts'
import type { BodyBudget } from './request/body-budget.ts'
import type { InFlightRequests } from './request/in-flight-requests.ts'

/** The handlers that describe the server itself. */
export type ServiceHandlers = Pick<Handlers, 'getHealth' | 'getReadiness' | 'getMetrics' | 'getOpenApi' | 'getDocs'>

export type ServiceParts = {
  storage: Pick<Storage, 'ping'>
  engine: Pick<CollectionEngine, 'state'>
  sync: Pick<Sync, 'state'>
  scrub: { state(): ScrubState }
  clock: Clock
  inFlightRequests: InFlightRequests
  budget: BodyBudget
  metrics: Metrics
  openApi: () => { openapi: string }
  docs: () => string
}

/**
 * The state of the background check of the database. `lines`, `rows`, `found` and `workedMs` count the work of this
 * server since its start.
 */
export type ScrubState = {
  lines: number
  rows: number
  found: number
  workedMs: number
  /** When any server last completed a pass; undefined if none has. */
  endedAt: EpochMs | undefined
  /** The number of problems that the last pass found, or that the current pass has found if those are more. */
  damage: number
}

/** How long the storage may take to respond before it counts as unavailable. */
const PING_MS_MAX = 2000
const PING_RETRY_SECONDS = 2

/** Creates the handlers of the endpoints that need no key. */
export function createServiceHandlers(parts: ServiceParts): ServiceHandlers {
  const ping = shared(() => pingInTime(parts))
  return {
    getHealth: async () => ({ status: 200, json: { status: 'ok' } }),
    async getReadiness() {
      if (parts.inFlightRequests.isDraining()) throw new Fault('unavailable', 'the server is stopping')
      checkCapacity(parts.inFlightRequests)
      await ping()
      return { status: 200, json: { status: 'ready' } }
    },
    getMetrics: async () => ({ status: 200, text: parts.metrics.text(readNumbers(parts)) }),
    getOpenApi: async () => ({ status: 200, json: parts.openApi() }),
    getDocs: async () => ({ status: 200, text: parts.docs() })
  }
}

/** How long a node may have no free place before it reports that it is not ready, in milliseconds. */
const EXHAUSTED_MS_MAX = 5000
const EXHAUSTED_RETRY_SECONDS = 5

function checkCapacity(inFlightRequests: InFlightRequests): void {
  const ms = inFlightRequests.countExhaustedMs()
  if (ms < EXHAUSTED_MS_MAX) return
  const message = `the limit of requests in progress has been reached for ${Math.floor(ms / 1000)} seconds`
  throw new Fault('unavailable', message, {
    hint: 'send requests to another node, and find slow requests with: memctl server logs',
    retryAfter: EXHAUSTED_RETRY_SECONDS
  })
}

async function pingInTime({ storage, clock }: ServiceParts): Promise<void> {
  const done = new AbortController()
  const tooLate = clock.wait(PING_MS_MAX, done.signal).then(() => {
    const message = `the storage did not respond within ${PING_MS_MAX / 1000} seconds`
    throw new Fault('unavailable', message, { retryAfter: PING_RETRY_SECONDS })
  })
  try {
    await Promise.race([storage.ping(), tooLate])
  } finally {
    tooLate.catch(() => undefined)
    done.abort()
  }
}

/** Shares one call between all callers that arrive while it is pending. */
function shared(ask: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined
  return () => {
    underWay ??= ask().finally(() => {
      underWay = undefined
    })
    return underWay
  }
}

function readNumbers({ engine, inFlightRequests, budget, sync, scrub }: ServiceParts): {
  gauges: Gauges
  counters: Counters
} {
  const { threads, waiting, indexes, indexBytes } = engine.state()
  const { running, runs, items, memories, documents } = sync.state()
  const byOutcome = Object.entries(runs).map(([outcome, count]) => [`outcome="${outcome}"`, count])
  const gauges = {
    memctl_http_requests_in_flight: { help: 'Requests in flight.', value: inFlightRequests.inFlight() },
    memctl_http_requests_working: {
      help: 'Requests in progress, which count towards the limit.',
      value: inFlightRequests.working()
    },
    memctl_http_body_bytes_in_flight: { help: 'Bytes of request bodies in memory.', value: budget.bytesInUse() },
    memctl_draining: { help: '1 while the server is stopping.', value: Number(inFlightRequests.isDraining()) },
    memctl_engine_threads: { help: 'Threads of the engine.', value: threads },
    memctl_engine_waiting: { help: 'Calls that wait for a thread.', value: waiting },
    memctl_engine_indexes: { help: 'Collections whose index is in memory.', value: indexes },
    memctl_engine_index_bytes: { help: 'Bytes of the indexes in memory.', value: indexBytes },
    memctl_sync_running: { help: 'Connections that this server is syncing.', value: running },
    ...documentGauges(documents),
    ...scrubGauges(scrub.state())
  }
  const counters = {
    memctl_sync_runs_total: { help: 'Syncs that ended on this server.', values: Object.fromEntries(byOutcome) },
    memctl_sync_items_total: { help: 'New and changed items that were synced.', values: { '': items } },
    memctl_sync_memories_total: { help: 'Memories that were created from items.', values: { '': memories } },
    ...documentCounters(documents),
    ...scrubCounters(scrub.state())
  }
  return { gauges, counters }
}

function documentGauges({ started, reading, waiting }: DocumentsState): Gauges {
  return {
    memctl_document_processes: { help: 'Child processes that read documents.', value: started },
    memctl_documents_reading: { help: 'Documents that are being read.', value: reading },
    memctl_documents_waiting: { help: 'Documents that wait for a child process.', value: waiting }
  }
}

function documentCounters({ ended }: DocumentsState): Counters {
  const byReason = Object.entries(ended).map(([why, count]) => [`why="${why}"`, count])
  const help = 'Child processes that ended before their document was read.'
  return { memctl_document_processes_ended_total: { help, values: Object.fromEntries(byReason) } }
}

function scrubGauges({ damage, endedAt }: ScrubState): Gauges {
  return {
    memctl_scrub_damage: {
      help: 'Problems that the last complete background check found in the database.',
      value: damage
    },
    memctl_scrub_last_pass_timestamp_seconds: {
      help: 'When the last background check of the whole database ended; 0 if none has.',
      value: (endedAt ?? 0) / 1000
    }
  }
}

function scrubCounters({ lines, rows, found, workedMs }: ScrubState): Counters {
  return {
    memctl_scrub_lines_total: { help: 'Lines that this server verified in the background.', values: { '': lines } },
    memctl_scrub_rows_total: { help: 'Other rows that this server verified in the background.', values: { '': rows } },
    memctl_scrub_found_total: { help: 'Problems that this server found in the background.', values: { '': found } },
    memctl_scrub_seconds_total: {
      help: 'Time that this server spent on verification.',
      values: { '': workedMs / 1000 }
    }
  }
}
