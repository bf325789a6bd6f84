import { Fault } from '../../../src/contract/faults.ts'
import { ProviderFailure } from '../../providers/port/provider-failure.ts'
import { type StoredCredential, secretIdentity } from '../../storage/port/connector-storage.ts'

import type { EnabledProvider } from '../wire/enabled-provider.ts'
import type { OAuthParts } from './oauth-parts.ts'
import { readTokens, type Tokens } from './tokens.ts'

/** A credential ready for use, with the endpoints and the tokens. */
export type CredentialAccess = { credential: StoredCredential; enabled: EnabledProvider; tokens: Tokens }

type LoadParts = Pick<OAuthParts, 'storage' | 'vault' | 'enabled'>

/**
 * Loads a credential from the storage.
 *
 * @throws ProviderFailure `grant_dead` if it is missing, cannot be read, or was given to a different client than the
 * server has now; `auth_expired` if the provider is not enabled.
 */
export async function loadAccess(parts: LoadParts, credentialId: string): Promise<CredentialAccess> {
  const credential = await parts.storage.findCredential(credentialId)
  if (credential === undefined) throw new ProviderFailure('grant_dead', 'the connection was revoked')
  const enabled = parts.enabled.get(credential.provider)
  if (enabled === undefined)
    throw new ProviderFailure('auth_expired', `provider ${credential.provider} is not enabled on this server`)
  // A token given to another client, or to the sandbox, is never sent by this one.
  if (credential.clientId !== enabled.clientId)
    throw new ProviderFailure('grant_dead', 'the grant belongs to a client that the server no longer uses')
  return { credential, enabled, tokens: await openTokens(parts, credential) }
}

/** Opens the tokens of a credential. */
export async function openTokens({ vault }: Pick<LoadParts, 'vault'>, credential: StoredCredential): Promise<Tokens> {
  try {
    return readTokens(await vault.open(credential.secret, secretIdentity.credential(credential)))
  } catch (error) {
    const isUnreadable = error instanceof Fault && error.code === 'damaged_storage'
    if (isUnreadable)
      throw new ProviderFailure('grant_dead', 'the stored credentials cannot be decrypted', { cause: error })
    throw error
  }
}
