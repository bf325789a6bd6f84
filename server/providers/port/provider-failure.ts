import type { Millis } from '../../../src/contract/epoch-ms.ts'

/** The expected kinds of failures between this server and a provider. Callers decide how to react. */
export type FailureKind =
  /** The access token was refused, and renewing it did not help or was refused too. */
  | 'auth_expired'
  /** The grant itself has ended. Only a new consent helps. */
  | 'grant_dead'
  /** The grant does not allow this call. */
  | 'scope_missing'
  /** Too many calls. `retryAfterMs` is the wait that the provider demands. */
  | 'rate_limited'
  /** Network error, timeout or 5xx. A retry may succeed. */
  | 'transient'
  /** The provider reports that the item is gone, or no longer visible to this account. */
  | 'item_gone'
  /** This item will fail however often it is retried. */
  | 'item_permanent'
  /** The cursor is too old or unknown, so everything must be listed again. */
  | 'cursor_invalid'
  /** A reply that does not match the provider's own documentation. */
  | 'contract_broken'

type FailureDetails = { retryAfterMs?: Millis | undefined; ofAccount?: boolean; cause?: unknown }

/** A failure of a provider. `message` is one actionable line without tokens. */
export class ProviderFailure extends Error {
  readonly kind: FailureKind
  /** For `rate_limited` and `transient`: the wait that the provider demands, in milliseconds. */
  readonly retryAfterMs: Millis | undefined
  /** Set if no other call for the account would succeed now either. */
  readonly ofAccount: boolean

  constructor(kind: FailureKind, message: string, { retryAfterMs, ofAccount = false, cause }: FailureDetails = {}) {
    super(message, { cause })
    this.name = 'ProviderFailure'
    this.kind = kind
    this.retryAfterMs = retryAfterMs
    this.ofAccount = ofAccount
  }
}

/** Awaits a provider's answer about an object, or returns undefined if the provider reports that it is gone. */
export async function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  return await answer.catch((error: unknown) => {
    if (error instanceof ProviderFailure && error.kind === 'item_gone') return undefined
    throw error
  })
}
