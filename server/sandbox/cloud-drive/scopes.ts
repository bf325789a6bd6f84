/** https://developers.google.com/workspace/drive/api/guides/api-specific-auth */
export const SCOPES = {
  readonly: 'https://www.googleapis.com/auth/drive.readonly',
  metadata: 'https://www.googleapis.com/auth/drive.metadata.readonly'
} as const
