import { googleOAuth } from '../port/google-oauth.ts'
import type { ProviderFacts } from '../port/provider.ts'

/** Gmail, by its API v1. */
export const FACTS: ProviderFacts = {
  id: 'mailbox',
  service: 'Gmail',
  // Reading only; no narrower one shows what a message says (https://developers.google.com/workspace/gmail/api/auth/scopes).
  oauth: googleOAuth('https://www.googleapis.com/auth/gmail.readonly'),
  apiUrl: 'https://gmail.googleapis.com',
  // https://developers.google.com/workspace/gmail/api/reference/quota: units of a person, of all methods together.
  paceBy: 'account',
  listsAll: true
}
