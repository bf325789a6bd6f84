import type { Client } from '../../../client/client.ts'
import { Fault } from '../../../contract/faults.ts'
import type { SyncRun } from '../../../contract/sync-run.ts'
import type { Context } from '../../command/context.ts'
import { formatCount } from '../../output/short-forms.ts'
import { reasonsText } from '../../views/run-list.ts'
import { nextCommand } from '../next-command.ts'
import { type Followed, followSyncs, showSyncs } from './follow-syncs.ts'
import { syncFault } from './sync-fault.ts'

/** Default wait for syncs, in milliseconds. */
export const SYNC_WAIT_MS = 10 * 60_000

/**
 * Waits for syncs, shows their progress, and warns about problems. Returns a fault for each sync that did not finish, and with
 * `failOnWarning` also one for the warnings.
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
  for (const warning of warnings) await context.diagnostics.warn(warning)
  const warned = warnings.length > 0 && failOnWarning
  return warned
    ? [...faults, new Fault('warnings', `finished with ${formatCount(warnings.length, 'warning')}`)]
    : faults
}

/** Maximum number of failed items that are counted. */
const COUNTED_MAX = 100

/**
 * Returns the warnings about a finished sync: parts of the selection that were skipped, items that failed now or in earlier
 * syncs, and items that were truncated.
 */
async function syncWarnings(context: Context, run: SyncRun): Promise<string[]> {
  if (run.outcome !== 'succeeded' && run.outcome !== 'partial') return []
  const items = itemsCommand(context, run.connection_id)
  const cut = cutIn(run)
  return [
    ...(run.error === null ? [] : [run.error]),
    ...(run.failed > 0 ? [describeFailedNow(run, items)] : await failingWarnings(context, run.connection_id)),
    ...(cut === 0 ? [] : [`truncated ${formatCount(cut, 'oversized item')}; list them: ${items} --status synced`])
  ]
}

function itemsCommand(context: Context, connectionId: string): string {
  return nextCommand(context, `memctl connections items ${connectionId}`)
}

function describeFailedNow(run: SyncRun, items: string): string {
  const reasons = run.reasons.length === 0 ? '' : ` (${reasonsText(run)})`
  return `${formatCount(run.failed, 'item')} failed${reasons}; list them: ${items} --status failed`
}

/**
 * Returns a warning if items failed in earlier syncs and wait for their retry, which a successful sync does not report. If they
 * cannot be read, returns a warning about that.
 */
export async function failingWarnings(context: Context, connectionId: string): Promise<string[]> {
  const items = itemsCommand(context, connectionId)
  const failing = await describeFailedBefore(await context.client(), connectionId)
  return failing === undefined ? [] : [`${failing}; list them: ${items} --status failed`]
}

async function describeFailedBefore(client: Client, connection_id: string): Promise<string | undefined> {
  const query = { status: 'failed', limit: String(COUNTED_MAX) } as const
  try {
    const { length } = await client.listItems({ params: { connection_id }, query })
    const number = length === COUNTED_MAX ? `at least ${COUNTED_MAX} items` : formatCount(length, 'item')
    return length === 0 ? undefined : `${number} failed in earlier syncs`
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return `could not check for items that failed in earlier syncs (${error.message})`
  }
}

/** Counts truncated items: reasons are given for failed, skipped and truncated ones. */
function cutIn({ reasons, failed, skipped }: SyncRun): number {
  const all = reasons.reduce((sum, { count }) => sum + count, 0)
  return Math.max(0, all - failed - skipped)
}
