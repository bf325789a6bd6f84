import { googleOAuth } from '../port/google-oauth.ts'
import type { ProviderFacts } from '../port/provider.ts'

/** Google Drive API v3. */
export const FACTS: ProviderFacts = {
  id: 'cloud_drive',
  service: 'Google Drive',
  // The smallest scope that sees all files
  // (https://developers.google.com/workspace/drive/api/guides/api-specific-auth).
  oauth: googleOAuth('https://www.googleapis.com/auth/drive.readonly'),
  // `rootUrl` of the discovery document.
  apiUrl: 'https://www.googleapis.com',
  selection: 'folder_ids',
  // https://developers.google.com/workspace/drive/api/guides/limits: limits apply to all queries of a user together.
  paceBy: 'account',
  listsAll: true
}
