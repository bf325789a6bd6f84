import type { StandIn } from '../stand-in.ts'
import { NOTES_CHANGES } from './changes.ts'
import { LISTING_ROUTES } from './listing-routes.ts'
import { NOTES_OAUTH } from './oauth.ts'
import { OBJECT_ROUTES } from './object-routes.ts'
import { NOTES_PARAMETERS } from './parameters.ts'
import { notesRefusal, unknownParameter } from './reply.ts'
import { seededAccounts } from './seed.ts'

/** The stand-in for Notion's API of 2025-09-03, as far as it reads. */
export const notesStandIn: StandIn = {
  id: 'notes',
  service: 'Notion (sandbox)',
  oauth: NOTES_OAUTH,
  accounts: seededAccounts,
  apiPath: '',
  routes: [...OBJECT_ROUTES, ...LISTING_ROUTES],
  parameters: NOTES_PARAMETERS,
  unknownParameter,
  refusal: notesRefusal,
  changes: NOTES_CHANGES
}
