import { ask } from '../http/ask.ts'
import type { Account, ProviderCall } from '../provider.ts'
import { MAILBOX_FACTS } from './facts.ts'
import { repliedValue } from './failure-of.ts'
import { Profile } from './wire.ts'

/**
 * The account by its address, in lower case. Gmail tells no other id without a further scope. Where an organisation renames an
 * address, the account counts as another one from its next consent on; until then the connection works as before.
 */
export async function identify(call: ProviderCall): Promise<Account> {
  const { emailAddress } = await profileOf(call)
  return { id: emailAddress.toLowerCase(), name: emailAddress }
}

/** Whose mailbox it is, and how far its history has come. */
export async function profileOf(call: ProviderCall): Promise<Profile> {
  const replied = await ask(call, { service: MAILBOX_FACTS.service, method: 'GET', path: '/gmail/v1/users/me/profile' })
  return repliedValue(replied, Profile, { what: 'the profile of the mailbox' })
}
