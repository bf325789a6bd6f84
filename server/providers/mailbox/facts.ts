import { googleOAuth } from '../port/google-oauth.ts'
import type { ProviderFacts } from '../port/provider.ts'

/** Gmail API v1. */
export const FACTS: ProviderFacts = {
  id: 'mailbox',
  service: 'Gmail',
  // Read-only. No narrower scope includes message bodies
  // (https://developers.google.com/workspace/gmail/api/auth/scopes).
  oauth: googleOAuth('https://www.googleapis.com/auth/gmail.readonly'),
  apiUrl: 'https://gmail.googleapis.com',
  // https://developers.google.com/workspace/gmail/api/reference/quota: units per user, for all methods together.
  paceBy: 'account',
  listsAll: true,
  attaches: true
}
