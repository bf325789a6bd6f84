import type { Millis } from '../../../src/contract/epoch-ms.ts'

/** Everything that may go wrong between us and a provider, and is expected to. What follows from it is for others to decide. */
export type FailureKind =
  /** The access token was refused, and renewing it helped nothing or was refused, too. */
  | 'auth_expired'
  /** The grant itself is over: only a new consent helps. */
  | 'grant_dead'
  /** The grant does not allow this call. */
  | 'scope_missing'
  /** Too many calls. `retryAfterMs` is what the provider demands. */
  | 'rate_limited'
  /** Network, timeout, 5xx: may work the next time. */
  | 'transient'
  /** The provider says that the item is no more, or is not shown to this account any more. */
  | 'item_gone'
  /** This item will not work however often it is tried. */
  | 'item_permanent'
  /** The cursor is too old or unknown: everything has to be listed again. */
  | 'cursor_invalid'
  /** A reply that does not match the provider's own description. */
  | 'contract_broken'

type FailureDetails = { retryAfterMs?: Millis | undefined; ofAccount?: boolean; cause?: unknown }

/** A failure of a provider. `message` is one line that a person can act on, without tokens. */
export class ProviderFailure extends Error {
  readonly kind: FailureKind
  /** Of `rate_limited` and `transient`: how long the provider wants to be left alone, in milliseconds. */
  readonly retryAfterMs: Millis | undefined
  /** Whatever was asked for, nothing else of the account would work just now either. */
  readonly ofAccount: boolean

  constructor(kind: FailureKind, message: string, { retryAfterMs, ofAccount = false, cause }: FailureDetails = {}) {
    super(message, { cause })
    this.name = 'ProviderFailure'
    this.kind = kind
    this.retryAfterMs = retryAfterMs
    this.ofAccount = ofAccount
  }
}

/** An answer of a provider about something; undefined where the provider says that it is gone. */
export async function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  return await answer.catch((error: unknown) => {
    if (error instanceof ProviderFailure && error.kind === 'item_gone') return undefined
    throw error
  })
}
