import type { FailureKind } from '../providers/port/provider-failure.ts'

export type FailureReaction =
  /** The run ends. The next one starts at the regular time. */
  | 'fail'
  /** The run ends. The next one starts sooner, because the cause may be temporary. */
  | 'fail_soon'
  /** The run ends until the provider accepts requests again. */
  | 'park'
  /** Everything is listed again immediately. */
  | 'start_over'
  /** The item is stored as failed, and the run continues. */
  | 'fail_item'
  /** The item is gone, and the run continues. */
  | 'drop_item'

/** The call that failed: `listing` requests a page, `reading` reads one item. */
type FailurePhase = 'listing' | 'reading'

/**
 * Maps each kind of failure to a reaction. An adapter that throws an item failure from a listing breaks its contract,
 * so the run ends.
 */
const REACTIONS: Readonly<Record<FailureKind, Readonly<Record<FailurePhase, FailureReaction>>>> = {
  auth_expired: { listing: 'fail', reading: 'fail' },
  grant_dead: { listing: 'fail', reading: 'fail' },
  scope_missing: { listing: 'fail', reading: 'fail' },
  rate_limited: { listing: 'park', reading: 'park' },
  transient: { listing: 'fail_soon', reading: 'fail_item' },
  item_gone: { listing: 'fail', reading: 'drop_item' },
  item_permanent: { listing: 'fail', reading: 'fail_item' },
  cursor_invalid: { listing: 'start_over', reading: 'fail_item' },
  contract_broken: { listing: 'fail', reading: 'fail_item' }
}

/** Returns how a run reacts to a provider failure. */
export function chooseReaction(kind: FailureKind, during: FailurePhase): FailureReaction {
  return REACTIONS[kind][during]
}
