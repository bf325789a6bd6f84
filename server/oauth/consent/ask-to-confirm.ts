import { Buffer } from 'node:buffer'
import { createHash, timingSafeEqual } from 'node:crypto'
import { type HeldGrant, type StoredAttempt, secretIdentity } from '../../storage/port/connector-storage.ts'

import { writeTokens } from '../tokens/tokens.ts'
import { storeSealed } from '../vault/store-sealed.ts'
import type { ConsentOutcome, LinkedGrant } from './consent-outcome.ts'
import { type ConsentParts, expireConsent } from './end-consent.ts'
import { revokeUnusedGrant } from './revoke-unused-grant.ts'

/** The random bytes of a ticket, enough to make guessing impossible. */
const TICKET_BYTES = 32

/**
 * Stores a grant until a person confirms that the account is to be linked. A decision needs a ticket, which only the
 * confirmation page contains.
 */
export async function askToConfirm(parts: ConsentParts, linked: LinkedGrant): Promise<ConsentOutcome> {
  const { storage, vault, world } = parts
  const { attempt, enabled, tokens, account } = linked
  const ticket = `${attempt.id}.${Buffer.from(world.ids.randomHex(TICKET_BYTES), 'hex').toString('base64url')}`
  const { clientId } = enabled
  const rest: Omit<HeldGrant, 'secret'> = {
    account,
    clientId,
    expiresAt: tokens.expiresAt,
    ticketHash: hashTicket(ticket)
  }
  const sealing = { plain: writeTokens(tokens), identity: secretIdentity.held(attempt) }
  const stored = await storeSealed(vault, sealing, (secret) => storage.holdGrant(attempt.id, { ...rest, secret }))
  if (stored === 'held') {
    const { expiresAt } = attempt
    return { outcome: 'asks', attempt, accountName: account.name, ticket, expiresAt }
  }
  await revokeUnusedGrant(parts, { enabled, tokens, accountId: account.id })
  return await expireConsent(parts, attempt)
}

/** Returns the id of the attempt that a ticket belongs to, or undefined if it is not a ticket. */
export function readAttemptId(ticket: string): string | undefined {
  return /^([0-9A-Za-z-]{1,64})\.[\w-]{43}$/.exec(ticket)?.[1]
}

/** Returns whether a ticket belongs to the grant that an attempt holds. */
export function isTicketFor({ held }: StoredAttempt, ticket: string): boolean {
  if (held === undefined) return false
  const [given, right] = [hashTicket(ticket), held.ticketHash]
  return given.length === right.length && timingSafeEqual(given, right)
}

function hashTicket(ticket: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(ticket).digest())
}
