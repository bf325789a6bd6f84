import type { SandboxProvider } from '../core/sandbox-provider.ts'
import { createGoogleOAuth } from '../google/create-google-oauth.ts'
import { toKnownParameters } from '../google/published-api.ts'
import { CHANGES } from './changes.ts'
import { refusal, unknownParameter } from './errors.ts'
import { PUBLISHED, SCOPES } from './published.ts'
import { ROUTES } from './routes.ts'

import { seedAccounts } from './seed-accounts.ts'

/** The reading operations of Google Drive v3. */
export const cloudDriveSandbox: SandboxProvider = {
  id: 'cloud_drive',
  service: 'Google Drive (sandbox)',
  oauth: createGoogleOAuth({
    [SCOPES.readonly]: 'see and download your files',
    [SCOPES.metadata]: 'see names and dates of your files'
  }),
  accounts: seedAccounts,
  apiPath: '',
  routes: ROUTES,
  parameters: toKnownParameters(PUBLISHED),
  unknownParameter,
  refusal,
  changes: CHANGES
}
