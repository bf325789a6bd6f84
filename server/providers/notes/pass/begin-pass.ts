import type { Page, SyncCall } from '../../provider.ts'
import { newPass, type PassState } from '../cursor.ts'
import { lastPass } from './last-pass.ts'
import { nextPage } from './next-page.ts'

/** The first page of a pass. @throws ProviderFailure as `nextPage` does. */
export async function beginPass(call: SyncCall, kind: PassState['kind'], before?: PassState): Promise<Page> {
  const last = Math.max(await lastPass(call.ledger, kind), before?.at ?? 0)
  const at = Math.max(call.clock.now(), last + 1)
  return await nextPage(call, newPass(kind, at, before))
}
