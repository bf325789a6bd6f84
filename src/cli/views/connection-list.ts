import type { NamedConnection } from '../../contract/connection.ts'
import { SELECTION_KEYS } from '../../contract/selection-limits.ts'
import type { SyncSchedule } from '../../contract/sync-run.ts'
import type { Context } from '../command/context.ts'
import { cardLines } from '../output/card-lines.ts'
import { untilWords } from '../output/duration-words.ts'
import type { Column, ListView, ObjectView } from '../output/result-writer.ts'
import { formatCount, shortTime } from '../output/short-forms.ts'
import { nextCommand } from '../service/next-command.ts'
import type { Schedules } from '../service/read-schedules.ts'
import { SELECTION_WORDS } from '../service/selection-options.ts'
import { countWords } from './run-list.ts'

/** The data for the time of the next sync. Only a schedule tells whether a connection is paused. */
type Planned = { now: number; schedules?: Schedules | undefined }

const columnsAt = ({ now, schedules }: Planned): readonly Column<NamedConnection>[] => [
  { name: 'id', value: ({ id }) => id, shortens: true },
  { name: 'provider', value: ({ provider }) => provider },
  { name: 'external_account_id', value: (one) => one.external_account_id, pipeOnly: true },
  { name: 'account', value: accountText, flexible: true, eyesOnly: true, leaves: 3 },
  { name: 'status', value: ({ status }) => status, leaves: 4 },
  { name: 'health', value: ({ health }) => health, format: healthWords, leaves: 1 },
  { name: 'items_synced', value: (one) => one.items_synced, leaves: 5 },
  {
    name: 'last_synced_at',
    value: (one) => one.last_synced_at,
    format: (one) => shortTime(one.last_synced_at),
    leaves: 6
  },
  {
    name: 'next_sync_at',
    value: (one) => one.next_sync_at,
    format: (one) => formatNextSync(one, { now, schedules }),
    leaves: 2
  },
  { name: 'last_error', value: (one) => one.last_error, flexible: true, leaves: 7 },
  { name: 'collection_id', value: (one) => one.collection_id, pipeOnly: true },
  { name: 'config', value: ({ config }) => config, pipeOnly: true },
  { name: 'created_at', value: (one) => one.created_at, pipeOnly: true },
  { name: 'error_detail', value: (one) => one.error_detail, pipeOnly: true }
]

/** Returns what to select before the connection syncs, `folders` or `channels`; undefined if nothing is missing. */
export function neededSelection({ status, provider }: NamedConnection): string | undefined {
  return status === 'pending' ? SELECTION_WORDS[SELECTION_KEYS[provider] ?? 'folder_ids'].many : undefined
}

function healthWords(connection: NamedConnection): string {
  const needed = neededSelection(connection)
  return needed === undefined ? (connection.health ?? '') : `needs ${needed}`
}

function formatNextSync({ id, next_sync_at: time }: NamedConnection, { now, schedules }: Planned): string {
  if (schedules?.get(id)?.paused === true) return 'paused'
  return time === null ? '' : untilWords(time, now)
}

/** Builds the list view of connections. `now` is used for the time until the next sync, `schedules` for paused connections. */
export function connectionList(now: number, schedules?: Schedules): ListView<NamedConnection> {
  return { columns: columnsAt({ now, schedules }), json: (connection) => connection }
}

/** Builds the view of one connection, with its schedule if given. In a pipe, it is a row of the list. */
export function connectionView(connection: NamedConnection, now: number, schedule?: SyncSchedule): ObjectView {
  const { next_sync_at } = connection
  const planned = next_sync_at === null ? '' : untilWords(next_sync_at, now)
  return {
    lines: (page) =>
      cardLines(
        [
          ['id', connection.id],
          ['provider', connection.provider],
          ['account', accountText(connection)],
          ['account id', connection.external_account_id],
          ['status', connection.status],
          ['health', healthWords(connection)],
          ['selection', selectionText(connection)],
          ['collection', connection.collection_id],
          ['items', connection.items_synced],
          ['last sync', shortTime(connection.last_synced_at)],
          ['last run', schedule === undefined ? '' : lastRunWords(schedule)],
          ['next sync', schedule === undefined ? planned : nextSyncWords(schedule, now)],
          ['error', connection.last_error],
          ['created', shortTime(connection.created_at)]
        ],
        page
      ),
    rows: () => [
      columnsAt({ now })
        .filter(({ eyesOnly }) => eyesOnly !== true)
        .map((column) => column.value(connection))
    ]
  }
}

/** Returns the name of the account, or its id if the server did not send the name. */
export function accountText({ account_name, external_account_id }: NamedConnection): string {
  return account_name ?? external_account_id
}

/** Formats the selection: the number of folders or channels, and their names with their ids. */
function selectionText({ config, selection = [] }: NamedConnection): string {
  const { folder_ids, channel_ids } = config
  const [ids, words] = folder_ids
    ? [folder_ids, SELECTION_WORDS.folder_ids]
    : [channel_ids, SELECTION_WORDS.channel_ids]
  if (ids === undefined) return ''
  const names = new Map(selection.map(({ id, name }) => [id, name]))
  return `${formatCount(ids.length, words.one, words.many)}: ${ids.map((id) => placeText(id, names.get(id))).join(', ')}`
}

/** Formats a folder or channel: its name and its id, or the id alone if it has no name. */
function placeText(id: string, name: string | undefined): string {
  return name === undefined || name === '' || name === id ? id : `${name} (${id})`
}

/** Builds the query for connections that a person reads: with names. JSON and pipes get the fields of the interface. */
export function queryNames({ answer }: Context): { include?: 'names' } {
  return answer.mode === 'table' ? { include: 'names' } : {}
}

/** Formats the next sync: `running`, `due now, then paused`, `paused`, `in 3 h 12 min (2026-05-01 15:12)`. */
export function nextSyncWords({ state, paused, next_sync_at }: SyncSchedule, atMs: number): string {
  if (state === 'running' || state === 'queued') {
    const doing = state === 'running' ? 'running' : 'due now'
    return paused ? `${doing}, then paused` : doing
  }
  if (state === 'pending') return 'once folders or channels are selected'
  if (paused) return 'paused'
  if (next_sync_at === null) return ''
  const until = untilWords(next_sync_at, atMs)
  return until.startsWith('in ') ? `${until} (${shortTime(next_sync_at)})` : until
}

/** Formats the last run: `partial, 2026-05-01 11:00: seen 12 · failed 2`. */
export function lastRunWords({ last_run }: SyncSchedule): string {
  if (last_run === null) return ''
  return `${last_run.outcome}, ${shortTime(last_run.ended_at)}: ${countWords(last_run).join(' · ')}`
}

/** Returns how to connect an account, for the end of a sentence. */
export function howToConnect(context: Context): string {
  return `connect one with ${nextCommand(context, 'memctl connect mailbox')}, or list the providers with ${nextCommand(context, 'memctl providers')}`
}
