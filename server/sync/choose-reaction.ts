import type { FailureKind } from '../providers/port/provider-failure.ts'

export type Consequence =
  /** The run ends, the next one comes at its regular time. */
  | 'fail'
  /** The run ends, the next one comes sooner: what failed may pass. */
  | 'fail_soon'
  /** The run ends until the provider wants to be asked again. */
  | 'park'
  /** Everything is listed anew, at once. */
  | 'start_over'
  /** The item is noted as failed, and the run goes on. */
  | 'fail_item'
  /** The item is no more, and the run goes on. */
  | 'drop_item'

/** `listing`: when a page was asked for; `reading`: one item. */
type During = 'listing' | 'reading'

/** What follows from which failure. What an item cannot be told of by a listing ends the run: the adapter is at odds with its port. */
const AFTER: Readonly<Record<FailureKind, Readonly<Record<During, Consequence>>>> = {
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

/** What follows from a failure of a provider. */
export function afterFailure(kind: FailureKind, during: During): Consequence {
  return AFTER[kind][during]
}
