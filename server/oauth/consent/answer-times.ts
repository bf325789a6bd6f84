import type { Clock } from '../../../src/ports.ts'
import { startTimeLimit, type TimeLimit } from '../../providers/http/time-limit.ts'
import { unlessAborted } from '../../providers/http/unless-aborted.ts'
import { ProviderFailure } from '../../providers/port/provider-failure.ts'

/**
 * How long a person who comes back from a provider waits for it, in milliseconds: for the tokens and the account together, then for
 * a grant that is given back. Together less than the 15 seconds within which every callback is answered.
 */
const LINK_MS_MAX = 12_000
const GIVE_BACK_MS_MAX = 2_000

/** Starts the time within which a provider has to exchange a code and say whose account it is. */
export function startLinkLimit(clock: Pick<Clock, 'wait'>, service: string): TimeLimit {
  const seconds = LINK_MS_MAX / 1000
  const reason = () => new ProviderFailure('transient', `${service} did not answer within ${seconds} seconds`)
  return startTimeLimit(clock, LINK_MS_MAX, reason)
}

/** Waits a short time for a revocation, which goes on after it and has limits of its own: whoever asked is answered without it. */
export async function withinGiveBackTime(clock: Pick<Clock, 'wait'>, work: Promise<unknown>): Promise<void> {
  const limit = startTimeLimit(clock, GIVE_BACK_MS_MAX, () => TOO_LATE)
  try {
    await unlessAborted(work, limit.signal)
  } catch (error) {
    if (error !== TOO_LATE) throw error
  } finally {
    limit.end()
  }
}

const TOO_LATE = Symbol('the grant is still being given back')
