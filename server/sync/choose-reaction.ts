import type { FailureKind } from '../providers/port/provider-failure.ts'

export type FailureReaction =
  /** The run ends, the next one comes at its regular time. */
  | 'fail'
  /** The run ends, the next one comes sooner: the cause may pass. */
  | 'fail_soon'
  /** The run ends until the provider accepts requests again. */
  | 'park'
  /** Everything is listed again, at once. */
  | 'start_over'
  /** The item is stored as failed, and the run continues. */
  | 'fail_item'
  /** The item is gone, and the run continues. */
  | 'drop_item'

/** `listing`: a page was requested; `reading`: one item. */
type FailurePhase = 'listing' | 'reading'

/** The reactions to failures. A failure about an item, thrown by a listing, ends the run: the adapter breaks its contract. */
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

/** Returns how a run reacts to a failure of a provider. */
export function chooseReaction(kind: FailureKind, during: FailurePhase): FailureReaction {
  return REACTIONS[kind][during]
}
