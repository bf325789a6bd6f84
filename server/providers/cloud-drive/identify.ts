import type { Account, ProviderCall } from '../provider.ts'
import { askDrive } from './ask-drive.ts'
import { About } from './wire.ts'

/** The account's id in permissions, which stays when its address changes. */
export async function identify(call: ProviderCall): Promise<Account> {
  const query = { fields: 'user(permissionId,emailAddress,displayName)' }
  const { user } = await askDrive(call, { path: '/about', query, reply: About, what: 'the account' })
  return { id: user.permissionId, name: user.emailAddress ?? user.displayName ?? user.permissionId }
}
