import type { Client } from '../../../client/client.ts'
import type { Connection } from '../../../contract/connection.ts'
import { Fault } from '../../../contract/faults.ts'
import { SELECTION_KEYS } from '../../../contract/selection-limits.ts'
import type { Context } from '../../command/context.ts'
import { canPick } from '../../picker/run-picker.ts'
import { nextCommand } from '../../service/next-command.ts'
import { pickSelection } from '../../service/pick-selection.ts'
import { SELECTION_WORDS, type SelectedIds, selectionFlags } from '../../service/selection-options.ts'
import { awaitSyncs } from '../../service/sync/await-syncs.ts'
import { currentSync } from '../../service/sync/follow-syncs.ts'
import { connectionView } from '../../views/connection-list.ts'

/** What was asked for. */
type Asked = { provider: string; selection: SelectedIds | undefined; syncWaitMs: number | undefined; pick: boolean }

/**
 * The connection that a consent made; with `syncWaitMs` after its first sync, which is waited for so long. With `pick` whoever
 * is there picks what it waits for.
 *
 * @throws Fault `usage` where it is one of another provider, `still_pending` where it waits for a selection or has kept another
 * one, with the commands that make it, after the connection is written to stdout; what is wrong with the sync.
 */
export async function answerConnected(
  context: Context,
  client: Client,
  { connectionId, provider, selection, syncWaitMs, pick }: Asked & { connectionId: string }
): Promise<void> {
  const { answer, world } = context
  const params = { connection_id: connectionId }
  const found = await client.getConnection({ params })
  if (found.provider !== provider) throw ofAnother(context, found)
  if (selection !== undefined && keepsOtherSelection(found, selection)) {
    await answerUnselected(context, found)
    throw otherSelectionFault(context, found, selection)
  }
  const picks = pick && canPick(context) && found.status === 'pending'
  const connection = picks ? await pickFirst(context, client, found) : found
  if (connection.status === 'pending') {
    await answerUnselected(context, connection)
    throw selectionNeeded(context, connection)
  }
  if (answer.mode === 'jsonl') await answer.jsonLine({ event: 'connected', connection })
  const faults = syncWaitMs === undefined ? [] : await awaitFirstSync(context, client, { connectionId, syncWaitMs })
  const now = syncWaitMs === undefined ? connection : await client.getConnection({ params })
  if (answer.mode !== 'jsonl') await answer.object(now, connectionView(now, world.clock.now()))
  else if (syncWaitMs !== undefined) await answer.jsonLine({ event: 'done', connection: now })
  for (const fault of faults) throw fault
}

/** A state does not say of which provider it is before somebody consented. */
function ofAnother(context: Context, { id, provider }: Connection): Fault {
  const next = nextCommand(context, `memctl connections show ${id}`)
  return new Fault('usage', `that consent is one of ${provider}`, { hint: `${next} shows what it made`, next: [next] })
}

/** Writes a connection that still needs a selection to stdout; the error with exit code 8 follows. */
async function answerUnselected({ answer, world }: Context, connection: Connection): Promise<void> {
  if (answer.mode === 'jsonl') await answer.jsonLine({ event: 'connected', connection })
  else await answer.object(connection, connectionView(connection, world.clock.now()))
}

/** An account that was connected before keeps what it had, whatever was chosen when the consent was begun. */
function keepsOtherSelection({ config }: Connection, selection: SelectedIds): boolean {
  const before = config[selection.key] ?? []
  return before.length !== selection.ids.length || !selection.ids.every((one) => before.includes(one))
}

function otherSelectionFault(context: Context, { id }: Connection, selection: SelectedIds): Fault {
  const { many } = SELECTION_WORDS[selection.key]
  const next = nextCommand(context, `memctl connections config ${id} ${selectionFlags(selection)} --yes`)
  return new Fault('still_pending', `connected as ${id}, but not with the ${many} that were given`, {
    hint: `an account that was connected before keeps its own; ${next} chooses those that were given`,
    next: [next],
    retryable: false
  })
}

/** The sync that is under way, or that comes; one that ended already is not waited for again. */
async function awaitFirstSync(
  context: Context,
  client: Client,
  { connectionId, syncWaitMs }: { connectionId: string; syncWaitMs: number }
): Promise<Fault[]> {
  const schedule = await client.getSchedule({ params: { connection_id: connectionId } })
  const first = currentSync(connectionId, schedule)
  return await awaitSyncs(context, [first], { waitMs: syncWaitMs, failOnWarning: false })
}

/** The connection after the first selection was picked and sent; as it was where the person leaves. */
async function pickFirst(context: Context, client: Client, connection: Connection): Promise<Connection> {
  const { id, provider } = connection
  const key = SELECTION_KEYS[provider]
  const picked = await pickSelection(context, client, connection).catch((error) => {
    throw explainLeftPicker(context, connection, error)
  })
  if (key === undefined || picked === undefined) return connection
  const ids = [...picked.keys()]
  const params = { connection_id: id }
  const changed = await client.updateConfig({ params, body: { config: { [key]: ids } } })
  const command = nextCommand(context, `memctl connections config ${id} ${selectionFlags({ key, ids })}`)
  await context.diagnostics.hint(`the same without a question: ${command}`)
  return changed
}

function explainLeftPicker(context: Context, { id }: Connection, error: unknown): unknown {
  if (!(error instanceof Fault) || error.code !== 'cancelled') return error
  const next = nextCommand(context, `memctl connections config ${id}`)
  return new Fault('cancelled', `connected as ${id}; nothing is synced until a choice is made`, {
    hint: next,
    next: [next],
    cause: error
  })
}

function selectionNeeded(context: Context, { id, provider }: Connection): Fault {
  const { list, many, flag } = SELECTION_WORDS[SELECTION_KEYS[provider] ?? 'folder_ids']
  const message = `connected as ${id}; which ${many} to sync is still to be chosen`
  if (canPick(context)) {
    const pick = nextCommand(context, `memctl connections config ${id}`)
    return new Fault('still_pending', message, { hint: `${pick} shows them to choose from`, next: [pick] })
  }
  const next = [`memctl connections ${list} ${id}`, `memctl connections config ${id} ${flag} ID`].map((command) =>
    nextCommand(context, command)
  )
  return new Fault('still_pending', message, {
    hint: `${next[0]} shows them, then: ${next[1]}`,
    next
  })
}
