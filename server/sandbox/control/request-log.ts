import type { ProviderId } from '../../../src/contract/provider-ids.ts'

/** What came in, without what could be secret. */
export type RequestLog = {
  note(entry: NotedRequest): void
  /** Newest last. */
  entries(): readonly NotedRequest[]
  /** How many there were of each operation, also of those that are not kept any more. */
  counts(): Readonly<Record<string, Readonly<Record<string, number>>>>
  clear(): void
}

export type NotedRequest = {
  /** By the sandbox's clock, in milliseconds since 1970. */
  at: number
  provider: ProviderId
  /** `unknown` where there is no such path. */
  operation: string
  method: string
  /** 0 where nothing was answered. */
  status: number
  /** The kind of fault that was ordered for it. */
  fault?: string
  /** What broke in the sandbox provider itself. */
  bug?: string
}

/** Beyond it the oldest ones go. */
const REQUESTS_KEPT = 10_000

/** An empty log. */
export function createRequestLog(): RequestLog {
  let entries: NotedRequest[] = []
  let counts: Record<string, Record<string, number>> = {}
  return {
    note(entry) {
      entries.push(entry)
      // By halves, so that a full log does not move all its entries with each request.
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
