import type { OAuthParts } from '../tokens/oauth-parts.ts'
import type { Tokens } from '../tokens/tokens.ts'
import type { EnabledProvider } from '../wire/enabled-provider.ts'
import { revokeGrant } from '../wire/revoke-tokens.ts'
import { withinGiveBackTime } from './answer-times.ts'

/** A grant that comes to nothing. `accountId` is absent where nobody knows it. */
export type Unwanted = { enabled: EnabledProvider; tokens: Tokens; accountId: string | undefined }

/**
 * Revokes a fresh grant that no connection uses, unless the account has one that does: both may end with one revocation. A provider
 * that is slow to answer is not waited for.
 */
export async function giveBack(parts: OAuthParts, { enabled, tokens, accountId }: Unwanted): Promise<void> {
  const { storage, world } = parts
  const { clientId } = enabled
  const provider = enabled.provider.facts.id
  if (accountId !== undefined && (await storage.credentialOf({ provider, clientId, accountId }))) return
  await withinGiveBackTime(world.clock, revokeTokens(parts, { enabled, tokens }))
}

async function revokeTokens({ world }: OAuthParts, { enabled, tokens }: Omit<Unwanted, 'accountId'>): Promise<void> {
  const signal = new AbortController().signal
  const isOver = await revokeGrant({ enabled, clock: world.clock, log: world.log, signal }, tokens)
  const provider = enabled.provider.facts.id
  world.log.info({ provider, revoked: isOver }, 'a grant that came to nothing was given back')
}
