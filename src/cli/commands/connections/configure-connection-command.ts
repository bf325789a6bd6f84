import type { Client } from '../../../client/client.ts'
import type { Connection, NamedConnection } from '../../../contract/connection.ts'
import { Fault } from '../../../contract/faults.ts'
import type { SelectionKey } from '../../../contract/selection-limits.ts'
import { SELECTION_KEYS } from '../../../contract/selection-limits.ts'
import { ask, makeDeclinedFault } from '../../command/ask.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type CommandLine, type OptionRow, textOption } from '../../input/command-line.ts'
import { readInputText } from '../../input/read-input-text.ts'
import { shellWord } from '../../output/short-forms.ts'
import type { StyledLine } from '../../output/styled-line.ts'
import { canPick } from '../../picker/run-picker.ts'
import { checkSelection } from '../../service/check-selection.ts'
import { CONNECTION_WORD, findConnectionId, SEARCHED_COLLECTION_OPTION } from '../../service/find-connection-id.ts'
import { nextCommand } from '../../service/next-command.ts'
import { pickSelection } from '../../service/pick-selection.ts'
import { hintPaused, readSchedules } from '../../service/read-schedules.ts'
import {
  SELECTION_OPTIONS,
  SELECTION_WORDS,
  type SelectedIds,
  selectionOption
} from '../../service/selection-options.ts'
import { connectionView, queryNames } from '../../views/connection-list.ts'

type Options = { id: string; collection: string | undefined; edit: Edit | undefined; dryRun: boolean }

const CHANGES: readonly OptionRow[] = ['folder', 'channel'].flatMap((noun) => [
  { flags: `--add-${noun} <id>`, about: `${noun} to add to the selection; repeatable`, repeat: true as const },
  { flags: `--remove-${noun} <id>`, about: `${noun} to remove from the selection; repeatable`, repeat: true as const }
])

export const configureConnectionCommand = defineCommand<Options>({
  name: 'config',
  summary: 'Choose the folders or channels to sync',
  words: [{ name: '<id>', ...CONNECTION_WORD }],
  options: [
    SEARCHED_COLLECTION_OPTION,
    ...SELECTION_OPTIONS,
    ...CHANGES,
    {
      flags: '--from-file <file>',
      about: 'JSON file with the whole selection, {"folder_ids": […]} or {"channel_ids": […]}; - for stdin'
    },
    { flags: '--dry-run', about: 'show what would change without changing it' }
  ],
  about:
    'Without flags, an interactive session shows a picker with the current selection. Asks for confirmation if the ' +
    'connection is active, because a change syncs all content of the new selection again; --yes confirms. Sends no ' +
    'request if nothing would change.',
  examples: [
    'memctl connections config cloud_drive',
    'memctl connections config cloud_drive --folder 1AbC --folder 2DeF',
    'memctl connections config team_chat --add-channel C012AB3CD --yes'
  ],
  leaves: 'The selection was changed completely or not at all; memctl connections show prints it',
  parse: ({ words, options }) => ({
    id: words[0] ?? '',
    collection: textOption(options, 'collection'),
    edit: parseEdit(options),
    dryRun: options.dryRun === true
  }),
  run: configure
})

async function configure(context: Context, { id, collection, edit, dryRun }: Options): Promise<void> {
  if (edit === undefined && !canPick(context)) throw missingSelectionFault()
  const client = await context.client()
  const connection_id = await findConnectionId(context, id, collection)
  const query = queryNames(context)
  const connection = await client.getConnection({ params: { connection_id }, query })
  const key = SELECTION_KEYS[connection.provider]
  if (key === undefined)
    throw new Fault('usage', `a ${connection.provider} connection has no selection: it syncs everything`)
  const chosen = await chooseSelection(context, client, { connection, key, edit })
  if (chosen === undefined) throw makeDeclinedFault('the selection was not changed')
  const after = [...chosen.keys()]
  const known = (connection.selection ?? []).map(({ id, name }) => [id, name] as const)
  const names = new Map([...known, ...[...chosen].filter(([, name]) => name !== '')])
  const difference = differenceLines(connection.config[key] ?? [], { chosen, names })
  if (difference.length === 0) {
    await context.diagnostics.note('Nothing to change: this is already the selection.')
    return await answerWithSchedule(context, client, connection)
  }
  const added = after.filter((one) => !(connection.config[key] ?? []).includes(one))
  const list = nextCommand(context, `memctl connections ${SELECTION_WORDS[key].list} ${connection_id}`)
  checkSelection(key, after, { added, list })
  const next = nameSelection({ ...connection, config: { [key]: after } }, names)
  if (dryRun) {
    await context.diagnostics.show(difference)
    return await context.answer.object(next, connectionView(next, context.world.clock.now()))
  }
  if (!(await mayChange(context, connection, { difference, after, key, picked: edit === undefined })))
    throw makeDeclinedFault('the selection was not changed')
  // Picked ids come from the provider's own list, so only typed ones are checked.
  const body = { config: { [key]: after }, ...(edit !== undefined && { check_ids: true }) }
  const changed = await client.updateConfig({ params: { connection_id }, query, body })
  await answerWithSchedule(context, client, nameSelection(changed, names))
}

/** Writes the connection. On a terminal, also shows the next sync and whether the connection is paused. */
async function answerWithSchedule(context: Context, client: Client, connection: NamedConnection): Promise<void> {
  const schedules = context.answer.mode === 'table' ? await readSchedules(client, [connection]) : new Map()
  const now = context.world.clock.now()
  await context.answer.object(connection, connectionView(connection, now, schedules.get(connection.id)))
  await hintPaused(context, [connection], schedules)
}

/** Returns the whole new selection: ids with their names, if known. Returns undefined if the user leaves the picker. */
async function chooseSelection(
  context: Context,
  client: Client,
  { connection, key, edit }: { connection: Connection; key: SelectionKey; edit: Edit | undefined }
): Promise<ReadonlyMap<string, string> | undefined> {
  if (edit === undefined) return await pickSelection(context, client, connection)
  const ids = await applyEdit(context, edit, { key, before: connection.config[key] ?? [] })
  return new Map(ids.map((id) => [id, '']))
}

type Change = { difference: readonly StyledLine[]; after: readonly string[]; key: SelectionKey; picked: boolean }

/** Asks for confirmation, unless it is the first selection, which drops nothing. After a pick, shows the equivalent command. */
async function mayChange(
  context: Context,
  { id, status }: Connection,
  { difference, after, key, picked }: Change
): Promise<boolean> {
  const { flag, many } = SELECTION_WORDS[key]
  const flags = after.map((one) => `${flag} ${shellWord(one)}`).join(' ')
  const command = nextCommand(context, `memctl connections config ${id} ${flags}`)
  if (status === 'pending') {
    if (picked) await context.diagnostics.hint(`to do the same without prompts: ${command}`)
    return true
  }
  const text = `Change the selection and sync all its ${many} from the start?`
  return await ask(context, { about: difference, text, otherwise: false, flag: '--yes', command: `${command} --yes` })
}

type Names = ReadonlyMap<string, string>

function differenceLines(
  before: readonly string[],
  { chosen, names }: { chosen: ReadonlyMap<string, string>; names: Names }
): StyledLine[] {
  const added = [...chosen.keys()].filter((id) => !before.includes(id))
  const removed = before.filter((id) => !chosen.has(id))
  const named = (id: string) => ((names.get(id) ?? id) === id ? '' : `  ${names.get(id)}`)
  return [
    ...removed.map((id): StyledLine => [{ text: `  - ${id}`, look: 'bad' }, named(id)]),
    ...added.map((id): StyledLine => [{ text: `  + ${id}`, look: 'good' }, named(id)])
  ]
}

/** Adds the names that the picker showed: the server learns those of new ids from its next sync. */
function nameSelection(connection: NamedConnection, names: Names): NamedConnection {
  if (connection.selection === undefined) return connection
  const ids = connection.config.folder_ids ?? connection.config.channel_ids ?? []
  const known = new Map(connection.selection.map(({ id, name }) => [id, name]))
  const nameOf = (id: string) => ((known.get(id) ?? id) === id ? (names.get(id) ?? id) : (known.get(id) ?? id))
  return { ...connection, selection: ids.map((id) => ({ id, name: nameOf(id) })) }
}

/** A change of the selection: a whole new one, or ids to add and remove. */
type Edit = {
  whole: SelectedIds | undefined
  file: string | undefined
  added: SelectedIds | undefined
  removed: SelectedIds | undefined
}

/** Maximum size of a selection file in bytes: a whole number of MiB. */
const FILE_BYTES_MAX = 1 << 20

/** Parses the flags of a change. Returns undefined without flags, and throws a usage fault if they contradict each other. */
function parseEdit(options: CommandLine['options']): Edit | undefined {
  const edit = {
    whole: selectionOption(options),
    file: textOption(options, 'fromFile'),
    added: selectionOption(options, 'add'),
    removed: selectionOption(options, 'remove')
  }
  const ways = [edit.whole, edit.file, edit.added ?? edit.removed].filter((one) => one !== undefined)
  if (ways.length <= 1) return ways.length === 1 ? edit : undefined
  throw new Fault('usage', 'the flags that replace the selection and those that change it cannot be used together', {
    hint: 'use --folder, --channel or --from-file, or else --add-… and --remove-…'
  })
}

/** The fault for a command without flags outside an interactive session. */
function missingSelectionFault(): Fault {
  return new Fault('usage', 'no selection was given', {
    hint: 'give --folder, --channel, --add-folder, --remove-folder, --add-channel, --remove-channel or --from-file'
  })
}

/** Returns the ids under `key` after an edit. Throws a usage fault if the edit has another key or removes every id. */
async function applyEdit(
  context: Context,
  { whole, file, added, removed }: Edit,
  { key, before }: { key: SelectionKey; before: readonly string[] }
): Promise<string[]> {
  const { many, flag } = SELECTION_WORDS[key]
  for (const given of [whole, added, removed])
    if (given !== undefined && given.key !== key)
      throw new Fault('usage', `this connection syncs ${many}, not ${SELECTION_WORDS[given.key].many}`, {
        hint: `use ${flag}`
      })
  const base = file === undefined ? (whole?.ids ?? before) : await idsInFile(context, file, key)
  const gone = new Set(removed?.ids)
  const after = [...new Set([...base, ...(added?.ids ?? [])])].filter((id) => !gone.has(id))
  if (after.length > 0) return after
  throw new Fault('usage', 'the selection would be empty: expected at least one id', {
    hint: 'to stop syncing, run memctl connections pause or memctl connections disconnect'
  })
}

async function idsInFile(context: Context, file: string, key: SelectionKey): Promise<string[]> {
  const text = await readInputText(context.world, file, FILE_BYTES_MAX)
  const { parseJson } = await context.device()
  const parsed = parseJson(text)
  const where = file === '-' ? 'stdin' : file
  if ('fault' in parsed)
    throw new Fault('malformed_json', `${where} ${parsed.fault}`, { hint: `write, for example, {"${key}": ["ID"]}` })
  const ids = (parsed.value as { [key]?: unknown } | null)?.[key]
  if (Array.isArray(ids) && ids.every((id): id is string => typeof id === 'string')) return ids
  throw new Fault('invalid_input', `${where} does not contain a list of ids under "${key}"`, {
    hint: `write, for example, {"${key}": ["ID"]}`
  })
}
