import { wrongParameter } from '../google-published.ts'
import type { StandInCall, StandInRoute } from '../stand-in.ts'
import { contentOf } from './content.ts'
import { exportFile, getFile } from './file-content.ts'
import { userResource } from './file-resource.ts'
import { googleError, invalidFields, invalidValue } from './google-error.ts'
import { getDrive, listChanges, listDrives, startPageToken } from './list-changes.ts'
import { listFiles } from './list-files.ts'
import { partial } from './partial.ts'
import { DRIVE_PUBLISHED } from './published.ts'
import { SCOPES } from './scopes.ts'

/** What of Drive v3 there is. */
export const cloudDriveRoutes: readonly StandInRoute[] = [
  route('/drive/v3/about', 'drive.about.get', about),
  route('/drive/v3/files', 'drive.files.list', listFiles),
  route('/drive/v3/files/{fileId}', 'drive.files.get', getFile),
  route('/drive/v3/files/{fileId}/export', 'drive.files.export', exportFile),
  route('/drive/v3/changes', 'drive.changes.list', listChanges),
  route('/drive/v3/changes/startPageToken', 'drive.changes.getStartPageToken', startPageToken),
  route('/drive/v3/drives', 'drive.drives.list', listDrives),
  route('/drive/v3/drives/{driveId}', 'drive.drives.get', getDrive)
]

function route(path: string, operation: string, answer: (call: StandInCall) => Response): StandInRoute {
  return {
    method: 'GET',
    path,
    operation,
    answer: (call) => refusedScope(call) ?? refusedQuery(operation, call) ?? answer(call)
  }
}

/** What no client of Drive may ask for: a value of another type, and a field that the reply does not have. */
function refusedQuery(operation: string, { query }: StandInCall): Response | undefined {
  const wrong = wrongParameter(DRIVE_PUBLISHED, operation, query)
  if (wrong === undefined) return undefined
  return wrong.parameter === 'fields' ? invalidFields(wrong.value) : invalidValue(wrong.parameter)
}

/** Contents need more than descriptions do. */
function refusedScope({ scopes, query, request }: StandInCall): Response | undefined {
  const isContent = query.get('alt') === 'media' || new URL(request.url).pathname.endsWith('/export')
  if (scopes.includes(SCOPES.readonly) || (scopes.includes(SCOPES.metadata) && !isContent)) return undefined
  const message = 'Request had insufficient authentication scopes.'
  return googleError({ status: 403, reason: 'insufficientPermissions', message })
}

function about({ account, query }: StandInCall): Response {
  const content = contentOf(account)
  if (query.get('fields') === null) {
    const message = "The 'fields' parameter is required for this method."
    return googleError({ status: 400, reason: 'required', message, parameter: 'fields' })
  }
  return partial(query, { kind: 'drive#about', user: userResource(content) }, '*')
}
