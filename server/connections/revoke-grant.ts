import type { StoredCredential } from '../storage/port/connector-storage.ts'

import type { ConnectionsParts } from './connections.ts'

/** The time limit for revoking a grant at the provider, in milliseconds. */
const REVOKE_MS_MAX = 10_000

/**
 * Revokes a grant that no connection uses any more at the provider. Its tokens are already deleted from the storage, so
 * a failure is only logged.
 */
export async function revokeGrant(
  { oauth, world: { clock, log } }: Pick<ConnectionsParts, 'oauth' | 'world'>,
  credential: StoredCredential
): Promise<void> {
  const tooLong = new AbortController()
  const done = new AbortController()
  const late = clock.wait(REVOKE_MS_MAX, done.signal).then(
    () => {
      tooLong.abort(new Error(`no response within ${REVOKE_MS_MAX} ms`))
      return false
    },
    () => false
  )
  try {
    const revoked = await Promise.race([oauth.revoke(credential, tooLong.signal), late])
    const fields = { provider: credential.provider, credentialId: credential.id }
    if (revoked) log.info(fields, 'revoked a grant at its provider')
    else log.info(fields, 'could not revoke a grant at its provider; its tokens are already deleted here')
  } finally {
    done.abort()
  }
}
