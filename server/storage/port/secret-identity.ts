import type { StoredAttempt, StoredCredential } from './connector-storage.ts'

/**
 * What a secret is sealed together with, so that it does not open in the place of another one. Written once, since whoever
 * seals it anew has the same to say as whoever sealed it first.
 */
export const secretIdentity = {
  /** The tokens of a grant. It stays the same when they are renewed. */
  credential: ({ provider, clientId, accountId }: Pick<StoredCredential, 'provider' | 'clientId' | 'accountId'>) =>
    JSON.stringify(['credential', provider, clientId, accountId]),
  /** The verifier of PKCE of an attempt. */
  verifier: ({ id }: Pick<StoredAttempt, 'id'>) => JSON.stringify(['verifier', id]),
  /** The tokens that an attempt keeps aside. */
  held: ({ id }: Pick<StoredAttempt, 'id'>) => JSON.stringify(['held', id])
}
