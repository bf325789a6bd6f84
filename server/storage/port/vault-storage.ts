import type { ProviderId } from '../../../src/contract/provider-ids.ts'

/** The keys that secrets are sealed with, and the id of this store. */
export type VaultStorage = {
  /** Returns the id of this store, for good: `proposed` where it has none yet, whoever of several servers comes first. */
  storeId(proposed: string): Promise<string>
  /** The keys of the vault: the one that new secrets are sealed with, and all that some secret still needs. */
  vaultKeys(): Promise<{ current: string | undefined; used: string[] }>
  /** Makes `next` the current key where `before` is. True where it is the current one afterwards. */
  changeVaultKey(before: string | undefined, next: string): Promise<boolean>
  /** Secrets that are sealed with another key than the current one. */
  staleSecrets(limit: number): Promise<StaleSecret[]>
  /** Puts a newly sealed secret in the place of an old one. False where that has changed meanwhile. */
  resealSecret(stale: StaleSecret, next: Sealed): Promise<boolean>
}

/** A secret as the vault gives it: `bytes` can be read only with the key of that id and the identity of its record. */
export type Sealed = { keyId: string; bytes: Uint8Array }

/** Where a secret stands, and what its record is: `identity` is what it is sealed together with. */
export type StaleSecret = { kind: 'credential' | 'verifier' | 'held'; id: string; identity: string; secret: Sealed }

/**
 * What a secret is sealed together with, so that it does not open in the place of another one. Written once, since whoever
 * seals it anew has the same to say as whoever sealed it first.
 */
export const secretIdentity = {
  /** The tokens of a grant. It stays the same when they are renewed. */
  credential: ({ provider, clientId, accountId }: { provider: ProviderId; clientId: string; accountId: string }) =>
    JSON.stringify(['credential', provider, clientId, accountId]),
  /** The verifier of PKCE of an attempt. */
  verifier: ({ id }: { id: string }) => JSON.stringify(['verifier', id]),
  /** The tokens that an attempt keeps aside. */
  held: ({ id }: { id: string }) => JSON.stringify(['held', id])
}
