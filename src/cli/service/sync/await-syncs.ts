import { Fault } from '../../../contract/faults.ts'
import type { Context } from '../../context.ts'
import { counted } from '../../output/short-forms.ts'
import { type Followed, followSyncs } from './follow-syncs.ts'
import { showSyncs } from './show-syncs.ts'
import { syncFault } from './sync-fault.ts'
import { syncWarnings } from './sync-warnings.ts'

/** How long syncs are waited for where nobody says, in milliseconds. */
export const SYNC_WAIT_MS = 10 * 60_000

/**
 * Waits for syncs and shows how far they are; warns of what is not as it should be. Gives what is wrong with how they stand at the end, a
 * fault each; with `failOnWarning` a warning is one too.
 */
export async function awaitSyncs(
  context: Context,
  followed: readonly Followed[],
  { waitMs, failOnWarning }: { waitMs: number; failOnWarning: boolean }
): Promise<Fault[]> {
  const shown = await showSyncs(context)
  try {
    await followSyncs(context, followed, { waitMs, shown })
  } finally {
    shown.stop()
  }
  const faults = followed.flatMap((one) => syncFault(context, one, waitMs) ?? [])
  const warnings: string[] = []
  for (const { over, run } of followed) if (over && run) warnings.push(...(await syncWarnings(context, run)))
  for (const warning of warnings) await context.talk.warn(warning)
  const warned = warnings.length > 0 && failOnWarning
  return warned ? [...faults, new Fault('warnings', `done, with ${counted(warnings.length, 'warning')}`)] : faults
}
