import type { ProviderId } from '../../../src/contract/provider-ids.ts'

/** The received requests, without secrets. */
export type RequestLog = {
  note(entry: NotedRequest): void
  /** Lists the requests, newest last. */
  entries(): readonly NotedRequest[]
  /** Returns the number of requests of each operation, including those no longer in the log. */
  counts(): Readonly<Record<string, Readonly<Record<string, number>>>>
  clear(): void
}

export type NotedRequest = {
  /** By the sandbox's clock, in milliseconds since 1970. */
  at: number
  provider: ProviderId
  /** `unknown` if there is no such path. */
  operation: string
  method: string
  /** 0 if there was no response. */
  status: number
  /** The kind of the requested fault. */
  fault?: string
  /** An internal error of the sandbox provider. */
  bug?: string
}

/** Beyond this number, the oldest requests are removed. */
const REQUESTS_KEPT = 10_000

/** Creates an empty log. */
export function createRequestLog(): RequestLog {
  let entries: NotedRequest[] = []
  let counts: Record<string, Record<string, number>> = {}
  return {
    note(entry) {
      entries.push(entry)
      // Removed in halves, so that a full log does not move all its entries at each request.
      if (entries.length >= 2 * REQUESTS_KEPT) entries = entries.slice(-REQUESTS_KEPT)
      const own = counts[entry.provider] ?? {}
      own[entry.operation] = (own[entry.operation] ?? 0) + 1
      counts[entry.provider] = own
    },
    entries: () => entries.slice(-REQUESTS_KEPT),
    counts: () => counts,
    clear() {
      entries = []
      counts = {}
    }
  }
}
