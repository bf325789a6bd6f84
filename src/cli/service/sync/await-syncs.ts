import type { Client } from '../../../client/client.ts'
import { Fault } from '../../../contract/faults.ts'
import type { SyncRun } from '../../../contract/sync-run.ts'
import type { Context } from '../../command/context.ts'
import { formatCount } from '../../output/short-forms.ts'
import { reasonsText } from '../../views/run-list.ts'
import { nextCommand } from '../next-command.ts'
import { type Followed, followSyncs, showSyncs } from './follow-syncs.ts'

import { syncFault } from './sync-fault.ts'

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
  for (const warning of warnings) await context.diagnostics.warn(warning)
  const warned = warnings.length > 0 && failOnWarning
  return warned ? [...faults, new Fault('warnings', `done, with ${formatCount(warnings.length, 'warning')}`)] : faults
}

/** Failing items that are counted of a connection. */
const COUNTED_MAX = 100

/**
 * What is not as it should be after a sync that came to its end, a warning each: places of the selection that are left out, items that failed
 * or fail since an earlier sync, items that were too long to be read whole.
 */
async function syncWarnings(context: Context, run: SyncRun): Promise<string[]> {
  if (run.outcome !== 'succeeded' && run.outcome !== 'partial') return []
  const items = itemsCommand(context, run.connection_id)
  const cut = cutIn(run)
  return [
    ...(run.error === null ? [] : [run.error]),
    ...(run.failed > 0 ? [describeFailedNow(run, items)] : await failingWarnings(context, run.connection_id)),
    ...(cut === 0
      ? []
      : [`${formatCount(cut, 'item')} read in part only, being too long: ${items} --status synced shows why`])
  ]
}

function itemsCommand(context: Context, connectionId: string): string {
  return nextCommand(context, `memctl connections items ${connectionId}`)
}

function describeFailedNow(run: SyncRun, items: string): string {
  const reasons = run.reasons.length === 0 ? '' : ` (${reasonsText(run)})`
  return `${run.failed.toLocaleString('en-US')} failed${reasons}: ${items} --status failed shows which`
}

/**
 * That items of a connection fail since earlier syncs, of which a sync that went well says nothing: it leaves those alone whose time has
 * not come. Where they cannot be asked for, it says that: nothing of the sync is undone by it.
 */
export async function failingWarnings(context: Context, connectionId: string): Promise<string[]> {
  const items = itemsCommand(context, connectionId)
  const failing = await describeFailedBefore(await context.client(), connectionId)
  return failing === undefined ? [] : [`${failing}: ${items} --status failed shows which`]
}

async function describeFailedBefore(client: Client, connection_id: string): Promise<string | undefined> {
  const query = { status: 'failed', limit: String(COUNTED_MAX) } as const
  try {
    const { length } = await client.listItems({ params: { connection_id }, query })
    const number = length === COUNTED_MAX ? `${COUNTED_MAX} items or more` : formatCount(length, 'item')
    return length === 0 ? undefined : `${number} failed in earlier syncs`
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return `the server did not say whether items failed in earlier syncs (${error.message})`
  }
}

/** Reasons are those of items that failed, were skipped, or are cut. */
function cutIn({ reasons, failed, skipped }: SyncRun): number {
  const all = reasons.reduce((sum, { count }) => sum + count, 0)
  return Math.max(0, all - failed - skipped)
}
