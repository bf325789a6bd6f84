import { Fault, type FaultCode } from '../../../contract/faults.ts'
import type { SyncRun, SyncSchedule } from '../../../contract/sync-run.ts'
import type { Context } from '../../command/context.ts'
import { durationWords, untilWords } from '../../output/duration-words.ts'
import { shortTime } from '../../output/short-forms.ts'
import { countWords } from '../../views/run-list.ts'
import { nextCommand } from '../next-command.ts'
import type { Followed } from './follow-syncs.ts'

/** What is wrong with how a sync that was waited for stands at the end; undefined where it came to its end. */
export function syncFault(context: Context, one: Followed, waitMs: number): Fault | undefined {
  if (!one.over || one.run === undefined) return notInTime(context, one, waitMs)
  const { run } = one
  if (run.outcome === 'succeeded' || run.outcome === 'partial') return undefined
  return run.outcome === 'parked' ? makeParkedFault(context, one) : makeEndedFault(context, run, one.schedule)
}

function notInTime(context: Context, { connectionId, run }: Followed, waitMs: number): Fault {
  const how = run === undefined ? 'it has not begun' : countWords(run).join(', ')
  const wait = nextCommand(context, `memctl connections wait ${connectionId} --for synced`)
  return new Fault('still_pending', `the sync of ${connectionId} is not over after ${durationWords(waitMs)}: ${how}`, {
    hint: `it goes on at the server: ${wait}`,
    next: [wait]
  })
}

/** Patience beyond the end of a pause, in minutes. */
const SPARE_MINUTES = 10

/** Of a sync that the provider paused for longer than is waited, or whose connection is paused as well. */
function makeParkedFault(context: Context, { connectionId, schedule }: Followed): Fault {
  const time = schedule?.next_sync_at ?? null
  if (schedule?.state === 'paused') return makePausedFault(context, connectionId)
  const now = context.world.clock.now()
  const when = time === null ? '' : ` ${untilWords(time, now)} (${shortTime(time)} UTC)`
  const minutes = time === null ? 0 : Math.max(0, Math.ceil((Date.parse(time) - now) / 60_000))
  const words = `memctl connections wait ${connectionId} --for synced --wait-timeout ${minutes + SPARE_MINUTES}m`
  const wait = nextCommand(context, words)
  return new Fault('still_pending', `the provider asks for a pause: the sync of ${connectionId} goes on${when}`, {
    hint: `it goes on by itself: ${wait}`,
    next: [wait]
  })
}

function makePausedFault(context: Context, connectionId: string): Fault {
  const next = ['resume', 'sync'].map((verb) => nextCommand(context, `memctl connections ${verb} ${connectionId}`))
  const message = `the provider asks for a pause, and the connection ${connectionId} is paused: its sync does not go on by itself`
  const hint = `${next[0]} starts its regular syncs again, ${next[1]} syncs it once, after the provider's pause`
  return new Fault('still_pending', message, { hint, next })
}

/** Of a sync that ended before its end, or left out something of the selection. */
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
  const until = time === null ? '' : `the next begins by itself ${untilWords(time, context.world.clock.now())}; `
  return new Fault('sync_failed', message, { hint: `${until}${again} begins one now`, next: [again] })
}

const ENDED: Readonly<Record<string, string>> = {
  stopped: 'was stopped',
  interrupted: 'was cut off: its server went away',
  partial: 'left something out'
}

/** The command that a sentence of the server names where an account has to be linked again. */
function reconnectIn(error: string | null): string | undefined {
  return error?.match(/memctl connect [a-z_]+( -c [0-9a-f-]{36})?/)?.[0]
}

/** Worst first. */
const ORDER: readonly FaultCode[] = ['sync_failed', 'conflict', 'still_pending']

/** Faults that are told in one. */
const TOLD_MOST = 3

/**
 * Several faults as one, with the code of the worst; undefined where there is none. `of` are all that it was about. Doing the same
 * again may help where it may help one of them.
 */
export function worstFault(faults: readonly Fault[], of: number): Fault | undefined {
  const rank = (fault: Fault): number => (ORDER.indexOf(fault.code) + ORDER.length + 1) % (ORDER.length + 1)
  const sorted = faults.toSorted((a, b) => rank(a) - rank(b))
  const [worst, second] = sorted
  if (worst === undefined || second === undefined) return worst
  const told = sorted.slice(0, TOLD_MOST).map(({ message }) => message)
  const more = sorted.length > TOLD_MOST ? '; …' : ''
  return new Fault(worst.code, `${faults.length} of ${of} did not come to their end: ${told.join('; ')}${more}`, {
    hint: worst.hint,
    next: [...new Set(sorted.flatMap(({ next }) => next))],
    retryable: sorted.some(({ retryable }) => retryable)
  })
}
