import { googleStandInOAuth } from '../google-oauth.ts'
import { knownParameters } from '../google-published.ts'
import type { StandIn } from '../stand-in.ts'
import { cloudDriveChanges } from './changes.ts'
import { refusal, unknownParameter } from './google-error.ts'
import { DRIVE_PUBLISHED } from './published.ts'
import { cloudDriveRoutes } from './routes.ts'
import { SCOPES } from './scopes.ts'
import { seedAccounts } from './seed.ts'

/** Google Drive v3 as far as reading goes. */
export const cloudDriveStandIn: StandIn = {
  id: 'cloud_drive',
  service: 'Google Drive (sandbox)',
  oauth: googleStandInOAuth({
    [SCOPES.readonly]: 'see and download your files',
    [SCOPES.metadata]: 'see names and dates of your files'
  }),
  accounts: seedAccounts,
  apiPath: '',
  routes: cloudDriveRoutes,
  parameters: knownParameters(DRIVE_PUBLISHED),
  unknownParameter,
  refusal,
  changes: cloudDriveChanges
}
