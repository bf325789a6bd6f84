import type { SandboxProvider } from '../core/sandbox-provider.ts'
import { createGoogleOAuth } from '../google/create-google-oauth.ts'
import { toKnownParameters } from '../google/published-api.ts'
import { CLOUD_DRIVE_CHANGES } from './changes.ts'
import { refusal, unknownParameter } from './errors.ts'
import { DRIVE_PUBLISHED, SCOPES } from './published.ts'
import { CLOUD_DRIVE_ROUTES } from './routes.ts'

import { seedAccounts } from './seed.ts'

/** Google Drive v3 as far as reading goes. */
export const cloudDriveSandbox: SandboxProvider = {
  id: 'cloud_drive',
  service: 'Google Drive (sandbox)',
  oauth: createGoogleOAuth({
    [SCOPES.readonly]: 'see and download your files',
    [SCOPES.metadata]: 'see names and dates of your files'
  }),
  accounts: seedAccounts,
  apiPath: '',
  routes: CLOUD_DRIVE_ROUTES,
  parameters: toKnownParameters(DRIVE_PUBLISHED),
  unknownParameter,
  refusal,
  changes: CLOUD_DRIVE_CHANGES
}
