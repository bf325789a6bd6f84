import { googleStandInOAuth } from '../google-oauth.ts'
import { knownParameters } from '../google-published.ts'
import type { StandIn } from '../stand-in.ts'
import { MAIL_CHANGES } from './changes.ts'
import { mailRefusal, unknownParameter } from './google-error.ts'
import { GMAIL_PUBLISHED } from './published.ts'
import { MAIL_ROUTES } from './routes.ts'
import { seededAccounts } from './seed.ts'

/** The stand-in for Gmail's API v1, as far as it reads. */
export const mailboxStandIn: StandIn = {
  id: 'mailbox',
  service: 'Gmail (sandbox)',
  oauth: googleStandInOAuth({
    'https://www.googleapis.com/auth/gmail.readonly': 'read your messages and settings',
    'https://www.googleapis.com/auth/gmail.metadata': 'see who wrote to whom and when, but not what',
    'https://www.googleapis.com/auth/gmail.modify': 'read, write and delete your messages',
    'https://mail.google.com/': 'do everything that you can do with your mail'
  }),
  accounts: seededAccounts,
  apiPath: '',
  routes: MAIL_ROUTES,
  parameters: knownParameters(GMAIL_PUBLISHED),
  unknownParameter,
  refusal: mailRefusal,
  changes: MAIL_CHANGES
}
