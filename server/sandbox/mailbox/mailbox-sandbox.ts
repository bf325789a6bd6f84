import type { SandboxProvider } from '../core/sandbox-provider.ts'
import { createGoogleOAuth } from '../google/create-google-oauth.ts'
import { toKnownParameters } from '../google/published-api.ts'
import { CHANGES } from './changes.ts'
import { refusal, unknownParameter } from './errors.ts'
import { PUBLISHED } from './published.ts'
import { ROUTES } from './routes.ts'
import { seedAccounts } from './seed-accounts.ts'

/** The sandbox of the reading operations of Gmail API v1. */
export const mailboxSandbox: SandboxProvider = {
  id: 'mailbox',
  service: 'Gmail (sandbox)',
  oauth: createGoogleOAuth({
    'https://www.googleapis.com/auth/gmail.readonly': 'read your messages and settings',
    'https://www.googleapis.com/auth/gmail.metadata': 'see who wrote to whom and when, but not what',
    'https://www.googleapis.com/auth/gmail.modify': 'read, write and delete your messages',
    'https://mail.google.com/': 'do everything that you can do with your mail'
  }),
  accounts: seedAccounts,
  apiPath: '',
  routes: ROUTES,
  parameters: toKnownParameters(PUBLISHED),
  unknownParameter,
  refusal: refusal,
  changes: CHANGES
}
