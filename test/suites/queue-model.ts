import type { Hold, RunEnd } from '../../server/storage/port/sync-storage.ts'

type Queued = {
  id: string
  collection: number
  isRevoked: boolean
  isPaused: boolean
  nextRunAt: number
  requestedAt: number | undefined
  fence: number
  held: { runId: string; began: number; until: number } | undefined
  /** How the last run ended, until something else happens. */
  ended: { runId: string; now: number; outcome: RunEnd['outcome'] } | undefined
}

/** A model of a small queue, as the port documents it. */
export class QueueModel {
  readonly #queue: ReadonlyMap<string, Queued>

  constructor(connections: readonly { id: string; collection: number }[], now: number) {
    const begun = { isRevoked: false, isPaused: false, nextRunAt: now, fence: 0 }
    const nothing = { requestedAt: undefined, held: undefined, ended: undefined }
    this.#queue = new Map(connections.map((one) => [one.id, { ...one, ...begun, ...nothing }]))
  }

  /** Claims connections. Collections with fewer held connections come first, then the longest due. */
  claim(owner: string, { now, until }: { now: number; until: number }, runIds: readonly string[]) {
    const taken: { hold: Hold; trigger: string }[] = []
    for (const runId of runIds) {
      const [first] = [...this.#queue.values()]
        .filter((one) => isDue(one, now))
        .sort((a, b) => this.#held(a, now) - this.#held(b, now) || a.nextRunAt - b.nextRunAt || (a.id < b.id ? -1 : 1))
      if (first === undefined) break
      first.fence++
      first.held = { runId, began: now, until }
      first.ended = undefined
      const hold = { connectionId: first.id, owner, fence: first.fence, runId }
      taken.push({ hold, trigger: first.requestedAt === undefined ? 'schedule' : 'manual' })
    }
    return taken
  }

  renew(hold: Hold, until: number): boolean {
    const one = this.#one(hold.connectionId)
    if (one.held?.runId !== hold.runId) return false
    one.held.until = until
    return true
  }

  end(hold: Hold, { now, outcome, nextRunAt }: RunEnd): boolean {
    const one = this.#one(hold.connectionId)
    if (one.held?.runId !== hold.runId) return isSame(one.ended, { runId: hold.runId, now, outcome })
    const { began } = one.held
    if (one.nextRunAt <= began || nextRunAt < one.nextRunAt) one.nextRunAt = nextRunAt
    if (outcome !== 'stopped' && (one.requestedAt ?? 0) <= began) one.requestedAt = undefined
    one.held = undefined
    one.ended = { runId: hold.runId, now, outcome }
    return true
  }

  request(id: string, now: number): string {
    const one = this.#one(id)
    if (one.isRevoked) return 'not_active'
    if (one.requestedAt !== undefined || isHeld(one, now)) return 'running'
    one.requestedAt = now
    one.nextRunAt = now
    return 'requested'
  }

  pause(id: string, paused: boolean): boolean {
    const one = this.#one(id)
    if (!one.isRevoked) one.isPaused = paused
    return !one.isRevoked
  }

  change(id: string, now: number): boolean {
    const one = this.#one(id)
    if (one.isRevoked) return false
    this.#fenceOff(one)
    one.nextRunAt = now
    return true
  }

  revoke(id: string): void {
    const one = this.#one(id)
    if (one.isRevoked) return
    this.#fenceOff(one)
    one.isRevoked = true
    one.requestedAt = undefined
  }

  /** Returns the schedule, except the time of the pause. */
  schedule(id: string): ModelSchedule {
    const { isPaused, isRevoked, nextRunAt, requestedAt, held } = this.#one(id)
    const next = isRevoked ? undefined : nextRunAt
    return {
      isPaused,
      requestedAt,
      nextRunAt: next,
      runId: held?.runId,
      leaseUntil: held?.until
    }
  }

  nextDue(): number | undefined {
    const times = [...this.#queue.values()]
      .filter(mayRun)
      .map(({ nextRunAt, held }) => Math.max(nextRunAt, held?.until ?? nextRunAt))
    return times.length === 0 ? undefined : Math.min(...times)
  }

  #one(id: string): Queued {
    const one = this.#queue.get(id)
    if (one === undefined) throw new Error(`the model has no connection ${id}`)
    return one
  }

  #held({ collection }: Queued, now: number): number {
    return [...this.#queue.values()].filter((one) => one.collection === collection && isHeld(one, now)).length
  }

  #fenceOff(one: Queued): void {
    one.fence++
    one.held = undefined
    one.ended = undefined
  }
}

type ModelSchedule = {
  isPaused: boolean
  requestedAt: number | undefined
  nextRunAt: number | undefined
  runId: string | undefined
  leaseUntil: number | undefined
}

function isDue(one: Queued, now: number): boolean {
  return mayRun(one) && one.nextRunAt <= now && !isHeld(one, now)
}

function mayRun({ isRevoked, isPaused, requestedAt }: Queued): boolean {
  return !isRevoked && (!isPaused || requestedAt !== undefined)
}

function isHeld({ held }: Queued, now: number): boolean {
  return held !== undefined && held.until > now
}

function isSame(a: Queued['ended'], b: NonNullable<Queued['ended']>): boolean {
  return a !== undefined && a.runId === b.runId && a.now === b.now && a.outcome === b.outcome
}
