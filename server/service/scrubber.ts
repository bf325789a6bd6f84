import { addMillis, epochNow } from '../../src/contract/epoch-ms.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { Clock, Ids, Log } from '../../src/ports.ts'
import type { ScrubState } from '../http/service-handlers.ts'
import type { CheckedPart, CheckFinding, CheckStorage } from '../storage/port/check-storage.ts'
import { addJitter } from './reaper.ts'

export type ScrubParts = {
  storage: Pick<CheckStorage, 'checkPart' | 'claimScrub' | 'keepScrub'>
  world: { clock: Clock; ids: Ids; log: Log }
}

/** Verifies the database in the background, until it is stopped. */
export type Scrubber = {
  state(): ScrubState
  stop(): Promise<void>
}

/** How long after the end of a pass the next one begins. */
const PERIOD_MS = 24 * 60 * 60 * 1000

/** How often an idle server checks whether a pass is due, and how long a starting one waits. */
const LOOK_MS = 60_000

/** Rest after work, as a multiple of its time: the work takes 1 % of a core. */
const REST_SHARE = 99

/** Lines that are verified at a time, in bytes: some milliseconds of work. */
const PART_BYTES = 256 * 1024

/** How often the progress of a pass is saved at least, and how much longer than the next rest its lease lasts. */
const KEEP_MS = 30_000
const LEASE_MS = 5 * 60_000

const OWNER_BYTES = 16

/**
 * Verifies all lines, references and counters of the database in small parts, about once a day, at no more than 1 % of a core. Damage
 * is logged, counted, and recorded as by a read. One of several servers over one database does so; if it ends, another one continues
 * where it stopped.
 */
export function startScrub(parts: ScrubParts): Scrubber {
  const stopping = new AbortController()
  const state: ScrubState = { lines: 0, rows: 0, found: 0, workedMs: 0, endedAt: undefined, damage: 0 }
  const ended = run({ ...parts, state, signal: stopping.signal })
  return {
    state: () => ({ ...state }),
    async stop() {
      stopping.abort()
      await ended
    }
  }
}

type ScrubRun = ScrubParts & { state: ScrubState; signal: AbortSignal }

/** Scrubs until it is stopped. An error stops neither the server nor the next attempt. */
async function run(running: ScrubRun): Promise<void> {
  const { world, signal } = running
  const owner = world.ids.randomHex(OWNER_BYTES)
  while (!signal.aborted) {
    try {
      await scrub(running, owner)
    } catch (error) {
      logFailure(world.log, error)
    }
    await rest(running, addJitter(LOOK_MS, world.ids))
  }
}

function logFailure(log: Log, error: unknown): void {
  const fields = error instanceof Fault ? { fault: error.code, reason: error.message } : { err: error }
  log.error(fields, 'the background check of the database was interrupted')
}

async function rest({ world, signal }: ScrubRun, ms: number): Promise<void> {
  await world.clock.wait(ms, signal).catch(() => undefined)
}

/** Runs a whole pass, if one is due and no other server runs it. */
async function scrub(running: ScrubRun, owner: string): Promise<void> {
  const { storage, world, state, signal } = running
  const now = epochNow(world.clock)
  const [until, endedBy] = [addMillis(now, LOOK_MS + LEASE_MS), addMillis(now, -PERIOD_MS)]
  const claimed = await storage.claimScrub({ owner, now, until, endedBy })
  const { isOwn, position, found, endedAt, damage } = claimed
  Object.assign(state, { endedAt, damage: Math.max(damage, found) })
  if (!isOwn) return
  const pass: ScrubPass = { owner, position, found, before: damage, keptAt: world.clock.ticks() }
  const isLeft = await checkParts(running, pass)
  // Lets another server continue at once. If the storage is away, it does so when the lease is over.
  if (isLeft && signal.aborted)
    await saveProgress(running, pass, { restMs: -LEASE_MS, ended: false }).catch(() => undefined)
}

/** `found` and `before`: the problems of this pass and of the previous one. `keptAt`: in ticks. */
type ScrubPass = { owner: string; position: string | undefined; found: number; before: number; keptAt: number }

/** Checks parts until the pass has ended or another server has taken it over. Returns true if this server stops before. */
async function checkParts(running: ScrubRun, pass: ScrubPass): Promise<boolean> {
  const { storage, world, state, signal } = running
  const { clock, log } = world
  await rest(running, LOOK_MS)
  while (!signal.aborted) {
    const began = clock.ticks()
    const { position } = pass
    const now = epochNow(clock)
    const part = await storage.checkPart({ position, mode: 'note', withFile: false, maxBytes: PART_BYTES, now })
    for (const finding of part.findings) logDamage(log, finding)
    pass.position = part.position
    pass.found += part.findings.length
    addCounts(state, part, pass)
    const ended = part.position === undefined
    const restMs = (clock.ticks() - began) * REST_SHARE
    const isDue = ended || part.findings.length > 0 || clock.ticks() - pass.keptAt + restMs >= KEEP_MS
    const isOwn = !isDue || (await saveProgress(running, pass, { restMs, ended }))
    const worked = clock.ticks() - began
    state.workedMs += worked
    if (ended && isOwn) logEnd(running, pass)
    if (ended || !isOwn) return false
    await rest(running, Math.min(worked * REST_SHARE, PERIOD_MS))
  }
  return true
}

function addCounts(state: ScrubState, { lines, rows, findings }: CheckedPart, { before, found }: ScrubPass): void {
  state.lines += lines
  state.rows += rows
  state.found += findings.length
  state.damage = Math.max(before, found)
}

/** Saves how far a pass has come; false if another server has taken it over. `restMs`: the time until the next part. */
async function saveProgress(
  { storage, world: { clock } }: ScrubRun,
  pass: ScrubPass,
  { restMs, ended }: { restMs: number; ended: boolean }
): Promise<boolean> {
  const { owner, position, found } = pass
  const now = epochNow(clock)
  pass.keptAt = clock.ticks()
  return await storage.keepScrub(owner, { now, until: addMillis(now, restMs + LEASE_MS), position, found, ended })
}

function logEnd({ world: { clock, log }, state }: ScrubRun, { found }: ScrubPass): void {
  Object.assign(state, { endedAt: epochNow(clock), damage: found })
  log.info({ problems: found }, 'the background check has verified the whole database')
}

function logDamage(log: Log, { table, collectionId, place, problem, hint = REPAIR }: CheckFinding): void {
  log.error({ table, collectionId: collectionId ?? null, place, problem, hint }, 'the database is damaged')
}

const REPAIR = 'memctl server check --repair'
