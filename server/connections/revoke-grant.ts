import type { StoredCredential } from '../storage/port/connector-storage.ts'

import type { ConnectionsParts } from './connections.ts'

/** How long a provider may take to hear that a grant is over, in milliseconds. */
const REVOKE_MS_MAX = 10_000

/**
 * Tells the provider that a grant is over, which no connection uses any more. Its tokens are out of the storage already, so
 * nothing but a line of the log comes of a provider that does not listen.
 */
export async function revokeGrant(
  { oauth, world: { clock, log } }: Pick<ConnectionsParts, 'oauth' | 'world'>,
  credential: StoredCredential
): Promise<void> {
  const tooLong = new AbortController()
  const done = new AbortController()
  const late = clock.wait(REVOKE_MS_MAX, done.signal).then(
    () => {
      tooLong.abort(new Error(`no answer within ${REVOKE_MS_MAX} ms`))
      return false
    },
    () => false
  )
  try {
    const revoked = await Promise.race([oauth.revoke(credential, tooLong.signal), late])
    const fields = { provider: credential.provider, credentialId: credential.id }
    if (revoked) log.info(fields, 'a grant was revoked at its provider')
    else log.info(fields, 'a grant could not be revoked at its provider: its tokens are deleted here')
  } finally {
    done.abort()
  }
}
