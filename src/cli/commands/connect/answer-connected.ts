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
import { connectionView, queryNames } from '../../views/connection-list.ts'

/** The parts of the `connect` options that apply after the consent. */
type Asked = { provider: string; selection: SelectedIds | undefined; syncWaitMs: number | undefined; pick: boolean }

/**
 * Writes the connection that a consent created. With `syncWaitMs`, first waits up to that long for the first sync. With `pick`,
 * an interactive session picks the folders or channels of a pending connection.
 *
 * @throws Fault `usage` if the connection belongs to another provider; `still_pending`, after writing the connection, if it needs
 * a selection or kept a different one, with the commands that set it; the fault of the first sync if it failed.
 */
export async function answerConnected(
  context: Context,
  client: Client,
  { connectionId, provider, selection, syncWaitMs, pick }: Asked & { connectionId: string }
): Promise<void> {
  const { answer, world } = context
  const params = { connection_id: connectionId }
  const found = await client.getConnection({ params, query: queryNames(context) })
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
  const now = syncWaitMs === undefined ? connection : await client.getConnection({ params, query: queryNames(context) })
  if (answer.mode !== 'jsonl') await answer.object(now, connectionView(now, world.clock.now()))
  else if (syncWaitMs !== undefined) await answer.jsonLine({ event: 'done', connection: now })
  for (const fault of faults) throw fault
}

/** A state does not identify its provider until the user has consented. */
function ofAnother(context: Context, { id, provider }: Connection): Fault {
  const next = nextCommand(context, `memctl connections show ${id}`)
  return new Fault('usage', `this consent is for ${provider}, not for the provider you named`, {
    hint: `show the connection that it created: ${next}`,
    next: [next]
  })
}

/** Writes a connection that still needs a selection to stdout. The caller then throws the error with exit code 8. */
async function answerUnselected({ answer, world }: Context, connection: Connection): Promise<void> {
  if (answer.mode === 'jsonl') await answer.jsonLine({ event: 'connected', connection })
  else await answer.object(connection, connectionView(connection, world.clock.now()))
}

/** Checks whether a reconnected account kept a selection other than the requested one. */
function keepsOtherSelection({ config }: Connection, selection: SelectedIds): boolean {
  const before = config[selection.key] ?? []
  return before.length !== selection.ids.length || !selection.ids.every((one) => before.includes(one))
}

function otherSelectionFault(context: Context, { id }: Connection, selection: SelectedIds): Fault {
  const { many } = SELECTION_WORDS[selection.key]
  const next = nextCommand(context, `memctl connections config ${id} ${selectionFlags(selection)} --yes`)
  return new Fault('still_pending', `connected as ${id}, but the account kept its previous ${many}`, {
    hint: `select the ${many} you gave: ${next}`,
    next: [next],
    retryable: false
  })
}

/** Waits for the running or queued sync. A sync that has already ended is not awaited again. */
async function awaitFirstSync(
  context: Context,
  client: Client,
  { connectionId, syncWaitMs }: { connectionId: string; syncWaitMs: number }
): Promise<Fault[]> {
  const schedule = await client.getSchedule({ params: { connection_id: connectionId } })
  const first = currentSync(connectionId, schedule)
  return await awaitSyncs(context, [first], { waitMs: syncWaitMs, failOnWarning: false })
}

/** Lets the user pick the first selection and sends it. Returns the connection unchanged if the user leaves the picker. */
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
  await context.diagnostics.hint(`to do the same without prompts: ${command}`)
  return changed
}

function explainLeftPicker(context: Context, { id }: Connection, error: unknown): unknown {
  if (!(error instanceof Fault) || error.code !== 'cancelled') return error
  const next = nextCommand(context, `memctl connections config ${id}`)
  return new Fault('cancelled', `connected as ${id}, but nothing is selected, so nothing syncs yet`, {
    hint: `select later: ${next}`,
    next: [next],
    cause: error
  })
}

function selectionNeeded(context: Context, { id, provider }: Connection): Fault {
  const { list, many, flag } = SELECTION_WORDS[SELECTION_KEYS[provider] ?? 'folder_ids']
  const message = `connected as ${id}, but no ${many} are selected, so nothing syncs yet`
  if (canPick(context)) {
    const pick = nextCommand(context, `memctl connections config ${id}`)
    return new Fault('still_pending', message, { hint: `select them: ${pick}`, next: [pick] })
  }
  const next = [`memctl connections ${list} ${id}`, `memctl connections config ${id} ${flag} ID`].map((command) =>
    nextCommand(context, command)
  )
  return new Fault('still_pending', message, {
    hint: `list them: ${next[0]}, then select: ${next[1]}`,
    next
  })
}
