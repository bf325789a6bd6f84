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

/** What the server says of itself. */
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

/** What is told of the background check of the database. `lines`, `rows`, `found` and `workedMs`: of this server, since its start. */
export type ScrubState = {
  lines: number
  rows: number
  found: number
  workedMs: number
  /** When a complete pass ended last, on any server; undefined if none has. */
  endedAt: EpochMs | undefined
  /** Problems that it found, or that the pass under way has found if those are more. */
  damage: number
}

/** How long the storage has to answer before it counts as gone. */
const PING_MS_MAX = 2000
const PING_RETRY_SECONDS = 2

/** Handlers of the endpoints that need no key. */
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

/** A node that has no free place for so long should get no further requests, in milliseconds. */
const EXHAUSTED_MS_MAX = 5000
const EXHAUSTED_RETRY_SECONDS = 5

function checkCapacity(inFlightRequests: InFlightRequests): void {
  const ms = inFlightRequests.countExhaustedMs()
  if (ms < EXHAUSTED_MS_MAX) return
  const message = `the limit of requests in flight has been exhausted for ${Math.floor(ms / 1000)} seconds`
  throw new Fault('unavailable', message, {
    hint: 'send requests to another node; `memctl server logs` shows what takes long',
    retryAfter: EXHAUSTED_RETRY_SECONDS
  })
}

async function pingInTime({ storage, clock }: ServiceParts): Promise<void> {
  const done = new AbortController()
  const tooLate = clock.wait(PING_MS_MAX, done.signal).then(() => {
    const message = `the storage did not answer within ${PING_MS_MAX / 1000} seconds`
    throw new Fault('unavailable', message, { retryAfter: PING_RETRY_SECONDS })
  })
  try {
    await Promise.race([storage.ping(), tooLate])
  } finally {
    tooLate.catch(() => undefined)
    done.abort()
  }
}

/** Who asks while somebody's question is under way gets the same answer. */
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
    memctl_http_requests_in_flight: { help: 'Requests that are being answered.', value: inFlightRequests.inFlight() },
    memctl_http_requests_working: { help: 'Requests that count towards the limit.', value: inFlightRequests.working() },
    memctl_http_body_bytes_in_flight: { help: 'Bytes of bodies that are held.', value: budget.bytesInUse() },
    memctl_draining: { help: '1 while the server is stopping.', value: Number(inFlightRequests.isDraining()) },
    memctl_engine_threads: { help: 'Threads of the engine.', value: threads },
    memctl_engine_waiting: { help: 'Calls that wait for a thread.', value: waiting },
    memctl_engine_indexes: { help: 'Collections whose index is held.', value: indexes },
    memctl_engine_index_bytes: { help: 'Bytes of the indexes that are held.', value: indexBytes },
    memctl_sync_running: { help: 'Connections that are being synced here.', value: running },
    ...documentGauges(documents),
    ...scrubGauges(scrub.state())
  }
  const counters = {
    memctl_sync_runs_total: { help: 'Syncs that ended here.', values: Object.fromEntries(byOutcome) },
    memctl_sync_items_total: { help: 'Items that were taken in, new or changed.', values: { '': items } },
    memctl_sync_memories_total: { help: 'Memories that items were made into.', values: { '': memories } },
    ...documentCounters(documents),
    ...scrubCounters(scrub.state())
  }
  return { gauges, counters }
}

function documentGauges({ started, reading, waiting }: DocumentsState): Gauges {
  return {
    memctl_document_processes: { help: 'Child processes that read documents.', value: started },
    memctl_documents_reading: { help: 'Documents that are being read.', value: reading },
    memctl_documents_waiting: { help: 'Documents that wait for a process.', value: waiting }
  }
}

function documentCounters({ ended }: DocumentsState): Counters {
  const byReason = Object.entries(ended).map(([why, count]) => [`why="${why}"`, count])
  const help = 'Child processes that were ended before their document was read.'
  return { memctl_document_processes_ended_total: { help, values: Object.fromEntries(byReason) } }
}

function scrubGauges({ damage, endedAt }: ScrubState): Gauges {
  return {
    memctl_scrub_damage: {
      help: 'Problems in the database, as the last complete background check found them.',
      value: damage
    },
    memctl_scrub_last_pass_timestamp_seconds: {
      help: 'When a background check of the whole database ended last; 0 if none has.',
      value: (endedAt ?? 0) / 1000
    }
  }
}

function scrubCounters({ lines, rows, found, workedMs }: ScrubState): Counters {
  return {
    memctl_scrub_lines_total: { help: 'Lines that were verified here in the background.', values: { '': lines } },
    memctl_scrub_rows_total: { help: 'Other rows that were verified so.', values: { '': rows } },
    memctl_scrub_found_total: { help: 'Problems that were found so.', values: { '': found } },
    memctl_scrub_seconds_total: { help: 'Time that verifying took here.', values: { '': workedMs / 1000 } }
  }
}
