import type { ProviderCall } from '../provider.ts'
import { askDrive } from './ask-drive.ts'
import { StartPageToken } from './wire.ts'

/** From where on changes are told, of the account or of a shared drive. */
export async function startToken(call: ProviderCall, driveId: string | undefined): Promise<string> {
  const asked = {
    path: '/changes/startPageToken',
    query: { supportsAllDrives: true, driveId, fields: 'startPageToken' }
  }
  const subject = driveId === undefined ? 'account' : 'item'
  const reply = await askDrive(call, { ...asked, reply: StartPageToken, what: 'the token of changes', subject })
  return reply.startPageToken
}
