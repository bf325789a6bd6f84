import { googleOAuth } from '../port/google-oauth.ts'
import type { ProviderFacts } from '../port/provider.ts'

/** Google Drive, version 3 of its API. */
export const FACTS: ProviderFacts = {
  id: 'cloud_drive',
  service: 'Google Drive',
  // The smallest scope that sees all files (https://developers.google.com/workspace/drive/api/guides/api-specific-auth).
  oauth: googleOAuth('https://www.googleapis.com/auth/drive.readonly'),
  // `rootUrl` of the discovery document.
  apiUrl: 'https://www.googleapis.com',
  selection: 'folder_ids',
  // https://developers.google.com/workspace/drive/api/guides/limits: queries of a person, whatever they are.
  paceBy: 'account',
  listsAll: true
}
