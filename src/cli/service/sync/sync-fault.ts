import { Fault, type FaultCode } from '../../../contract/faults.ts'
import type { SyncRun, SyncSchedule } from '../../../contract/sync-run.ts'
import type { Context } from '../../command/context.ts'
import { durationWords, untilWords } from '../../output/duration-words.ts'
import { shortTime } from '../../output/short-forms.ts'
import { countWords } from '../../views/run-list.ts'
import { nextCommand } from '../next-command.ts'
import type { Followed } from './follow-syncs.ts'

/** Returns the fault for a sync that did not finish in time; undefined if it finished. */
export function syncFault(context: Context, one: Followed, waitMs: number): Fault | undefined {
  if (!one.over || one.run === undefined) return notInTime(context, one, waitMs)
  const { run } = one
  if (run.outcome === 'succeeded' || run.outcome === 'partial') return undefined
  return run.outcome === 'parked' ? makeParkedFault(context, one) : makeEndedFault(context, run, one.schedule)
}

function notInTime(context: Context, { connectionId, run }: Followed, waitMs: number): Fault {
  const how = run === undefined ? 'it has not started' : countWords(run).join(', ')
  const wait = nextCommand(context, `memctl connections wait ${connectionId} --for synced`)
  return new Fault(
    'still_pending',
    `the sync of ${connectionId} has not finished after ${durationWords(waitMs)}: ${how}`,
    {
      hint: `continue waiting: ${wait}`,
      next: [wait]
    }
  )
}

/** Extra wait after the end of a pause, in minutes. */
const SPARE_MINUTES = 10

/** Builds the fault for a sync that the provider paused beyond the end of the wait, or whose connection is also paused. */
function makeParkedFault(context: Context, { connectionId, schedule }: Followed): Fault {
  const time = schedule?.next_sync_at ?? null
  if (schedule?.state === 'paused') return makePausedFault(context, connectionId)
  const now = context.world.clock.now()
  const when = time === null ? '' : ` ${untilWords(time, now)} (${shortTime(time)} UTC)`
  const minutes = time === null ? 0 : Math.max(0, Math.ceil((Date.parse(time) - now) / 60_000))
  const words = `memctl connections wait ${connectionId} --for synced --wait-timeout ${minutes + SPARE_MINUTES}m`
  const wait = nextCommand(context, words)
  return new Fault('still_pending', `the provider requested a pause: the sync of ${connectionId} continues${when}`, {
    hint: `continue waiting: ${wait}`,
    next: [wait]
  })
}

function makePausedFault(context: Context, connectionId: string): Fault {
  const next = ['resume', 'sync'].map((verb) => nextCommand(context, `memctl connections ${verb} ${connectionId}`))
  const message = `the provider requested a pause, and connection ${connectionId} is paused, so its sync does not continue automatically`
  const hint = `resume its schedule: ${next[0]}; or sync it once after the pause: ${next[1]}`
  return new Fault('still_pending', message, { hint, next })
}

/** Builds the fault for a sync that was cut short or skipped parts of the selection. */
export function makeEndedFault(context: Context, run: SyncRun, schedule: SyncSchedule | undefined): Fault {
  const { connection_id, outcome, error } = run
  const what = ENDED[String(outcome)] ?? 'failed'
  const message = `the sync of ${connection_id} ${what}${error === null ? '' : `: ${error}`}`
  const reconnect = reconnectIn(error)
  if (reconnect !== undefined) {
    const next = nextCommand(context, reconnect)
    return new Fault('sync_failed', message, { hint: `connect again: ${next}`, next: [next], retryable: false })
  }
  const again = nextCommand(context, `memctl connections sync ${connection_id} --wait`)
  const time = schedule?.next_sync_at ?? null
  const until = time === null ? '' : `the next sync starts ${untilWords(time, context.world.clock.now())}; `
  return new Fault('sync_failed', message, { hint: `${until}to sync now: ${again}`, next: [again] })
}

const ENDED: Readonly<Record<string, string>> = {
  stopped: 'was stopped',
  interrupted: 'was interrupted because its server went down',
  partial: 'was incomplete'
}

/** Returns the reconnect command in an error text of the server, if any. */
function reconnectIn(error: string | null): string | undefined {
  return error?.match(/memctl connect [a-z_]+( -c [0-9a-f-]{36})?/)?.[0]
}

/** Fault codes, worst first. */
const ORDER: readonly FaultCode[] = ['sync_failed', 'conflict', 'still_pending']

/** Maximum number of messages that are combined. */
const TOLD_MOST = 3

/**
 * Combines faults into one with the code of the worst, or returns undefined for none. `of` is the total number of connections.
 * The result is retryable if any of the faults is.
 */
export function worstFault(faults: readonly Fault[], of: number): Fault | undefined {
  const rank = (fault: Fault): number => (ORDER.indexOf(fault.code) + ORDER.length + 1) % (ORDER.length + 1)
  const sorted = faults.toSorted((a, b) => rank(a) - rank(b))
  const [worst, second] = sorted
  if (worst === undefined || second === undefined) return worst
  const told = sorted.slice(0, TOLD_MOST).map(({ message }) => message)
  const more = sorted.length > TOLD_MOST ? '; …' : ''
  return new Fault(worst.code, `${faults.length} of ${of} connections did not finish: ${told.join('; ')}${more}`, {
    hint: worst.hint,
    next: [...new Set(sorted.flatMap(({ next }) => next))],
    retryable: sorted.some(({ retryable }) => retryable)
  })
}
