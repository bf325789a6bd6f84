import type { StandIn } from '../stand-in.ts'
import { MAIL_CHANGES } from './changes.ts'
import { mailRefusal } from './google-error.ts'
import { MAIL_OAUTH } from './google-oauth.ts'
import { MAIL_ROUTES } from './routes.ts'
import { seededAccounts } from './seed.ts'

/** The stand-in for Gmail's API v1, as far as it reads. */
export const mailboxStandIn: StandIn = {
  id: 'mailbox',
  service: 'Mailbox (sandbox)',
  oauth: MAIL_OAUTH,
  accounts: seededAccounts,
  apiPath: '',
  routes: MAIL_ROUTES,
  refusal: mailRefusal,
  changes: MAIL_CHANGES
}
