import type { Client } from '../../../client/client.ts'
import type { Connection } from '../../../contract/connection.ts'
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
import { findConnectionId, SEARCHED_COLLECTION_OPTION } from '../../service/find-connection-id.ts'
import { nextCommand } from '../../service/next-command.ts'
import { pickSelection } from '../../service/pick-selection.ts'
import { hintPaused, readSchedules } from '../../service/read-schedules.ts'
import {
  SELECTION_OPTIONS,
  SELECTION_WORDS,
  type SelectedIds,
  selectionOption
} from '../../service/selection-options.ts'
import { connectionView } from '../../views/connection-list.ts'

type Options = { id: string; collection: string | undefined; edit: Edit | undefined; dryRun: boolean }

const CHANGES: readonly OptionRow[] = ['folder', 'channel'].flatMap((noun) => [
  { flags: `--add-${noun} <id>`, about: `a ${noun} to sync beside the others`, repeat: true as const },
  { flags: `--remove-${noun} <id>`, about: `a ${noun} to sync no more`, repeat: true as const }
])

export const configureConnectionCommand = defineCommand<Options>({
  name: 'config',
  summary: 'Choose the folders or channels to sync',
  words: [{ name: '<id>', about: 'the connection: its id, or the first 6 characters or more' }],
  options: [
    SEARCHED_COLLECTION_OPTION,
    ...SELECTION_OPTIONS,
    ...CHANGES,
    {
      flags: '--from-file <file>',
      about: 'the whole selection as JSON, {"folder_ids": […]} or {"channel_ids": […]}; - is stdin'
    },
    { flags: '--dry-run', about: 'only say what would change' }
  ],
  about:
    'Without flags a terminal shows what there is to choose from, with what is chosen already. Asks first when something is synced already, since a change means that all content of the new selection is synced again; ' +
    '--yes answers. Where nothing would change, nothing is sent.',
  examples: [
    'memctl connections config 018f3a',
    'memctl connections config 018f3a --folder 1AbC --folder 2DeF',
    'memctl connections config 018f3a --add-channel C012AB3CD --yes'
  ],
  leaves: 'The selection was changed as a whole or not at all: memctl connections show tells',
  parse: ({ words, options }) => ({
    id: words[0] ?? '',
    collection: textOption(options, 'collection'),
    edit: parseEdit(options),
    dryRun: options.dryRun === true
  }),
  run: configure
})

async function configure(context: Context, { id, collection, edit, dryRun }: Options): Promise<void> {
  if (edit === undefined && !canPick(context)) throw nothingSaid()
  const client = await context.client()
  const connection_id = await findConnectionId(context, id, collection)
  const connection = await client.getConnection({ params: { connection_id } })
  const key = SELECTION_KEYS[connection.provider]
  if (key === undefined) throw new Fault('usage', `a ${connection.provider} has nothing to choose: all of it is synced`)
  const chosen = await chooseSelection(context, client, { connection, key, edit })
  if (chosen === undefined) throw makeDeclinedFault('the selection was not changed')
  const after = [...chosen.keys()]
  const difference = differenceLines(connection.config[key] ?? [], chosen)
  if (difference.length === 0) {
    await context.diagnostics.note('nothing changes: that is the selection already')
    return await answerWithSchedule(context, client, connection)
  }
  const added = after.filter((one) => !(connection.config[key] ?? []).includes(one))
  const list = nextCommand(context, `memctl connections ${SELECTION_WORDS[key].list} ${connection_id}`)
  checkSelection(key, after, { added, list })
  const next = { ...connection, config: { [key]: after } }
  if (dryRun) {
    await context.diagnostics.show(difference)
    return await context.answer.object(next, connectionView(next, context.world.clock.now()))
  }
  if (!(await mayChange(context, connection, { difference, after, key, picked: edit === undefined })))
    throw makeDeclinedFault('the selection was not changed')
  // What was picked was shown by the provider a moment ago.
  const body = { config: { [key]: after }, ...(edit !== undefined && { check_ids: true }) }
  const changed = await client.updateConfig({ params: { connection_id }, body })
  await answerWithSchedule(context, client, changed)
}

/** Answers with the connection; a terminal is also shown when it syncs next, and whether it is paused. */
async function answerWithSchedule(context: Context, client: Client, connection: Connection): Promise<void> {
  const schedules = context.answer.mode === 'table' ? await readSchedules(client, [connection]) : new Map()
  const now = context.world.clock.now()
  await context.answer.object(connection, connectionView(connection, now, schedules.get(connection.id)))
  await hintPaused(context, [connection], schedules)
}

/** The whole new selection, ids with their names as far as they are known; undefined where a person leaves it as it is. */
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

/** A first selection drops nothing, so nobody is asked; who picked it learns the command that does the same. */
async function mayChange(
  context: Context,
  { id, status }: Connection,
  { difference, after, key, picked }: Change
): Promise<boolean> {
  const { flag, many } = SELECTION_WORDS[key]
  const flags = after.map((one) => `${flag} ${shellWord(one)}`).join(' ')
  const command = nextCommand(context, `memctl connections config ${id} ${flags}`)
  if (status === 'pending') {
    if (picked) await context.diagnostics.hint(`the same without a question: ${command}`)
    return true
  }
  const text = `Sync these ${many} from the start?`
  return await ask(context, { about: difference, text, otherwise: false, flag: '--yes', command: `${command} --yes` })
}

function differenceLines(before: readonly string[], chosen: ReadonlyMap<string, string>): StyledLine[] {
  const added = [...chosen].filter(([id]) => !before.includes(id))
  const removed = before.filter((id) => !chosen.has(id))
  return [
    ...removed.map((id): StyledLine => [{ text: `  - ${id}`, look: 'bad' }]),
    ...added.map(([id, name]): StyledLine => [{ text: `  + ${id}`, look: 'good' }, name === '' ? '' : `  ${name}`])
  ]
}

/** How a selection is to change: to a whole new one, or by what is added and removed. */
type Edit = {
  whole: SelectedIds | undefined
  file: string | undefined
  added: SelectedIds | undefined
  removed: SelectedIds | undefined
}

/** Bytes of a file with a selection: a whole number of MiB. */
const FILE_BYTES_MAX = 1 << 20

/** What the flags say; undefined where they say nothing. Throws a usage fault where they say several things at once. */
function parseEdit(options: CommandLine['options']): Edit | undefined {
  const edit = {
    whole: selectionOption(options),
    file: textOption(options, 'fromFile'),
    added: selectionOption(options, 'add'),
    removed: selectionOption(options, 'remove')
  }
  const ways = [edit.whole, edit.file, edit.added ?? edit.removed].filter((one) => one !== undefined)
  if (ways.length <= 1) return ways.length === 1 ? edit : undefined
  throw new Fault('usage', 'the whole selection and a change of it are given together', { hint: 'give one of them' })
}

/** Where the flags say nothing and nobody is there to choose. */
function nothingSaid(): Fault {
  return new Fault('usage', 'what to choose is not said', {
    hint: 'give --folder, --channel, --add-folder, --remove-folder, --add-channel, --remove-channel or --from-file'
  })
}

/** The ids under `key` after an edit. Throws a usage fault where it is about another key, or leaves nothing. */
async function applyEdit(
  context: Context,
  { whole, file, added, removed }: Edit,
  { key, before }: { key: SelectionKey; before: readonly string[] }
): Promise<string[]> {
  const { many, flag } = SELECTION_WORDS[key]
  for (const given of [whole, added, removed])
    if (given !== undefined && given.key !== key)
      throw new Fault('usage', `this connection has ${many} to choose, not ${SELECTION_WORDS[given.key].many}`, {
        hint: `give ${flag}`
      })
  const base = file === undefined ? (whole?.ids ?? before) : await idsInFile(context, file, key)
  const gone = new Set(removed?.ids)
  const after = [...new Set([...base, ...(added?.ids ?? [])])].filter((id) => !gone.has(id))
  if (after.length > 0) return after
  throw new Fault('usage', 'nothing would be left: a selection has at least one id', {
    hint: 'memctl connections disconnect ends a connection'
  })
}

async function idsInFile(context: Context, file: string, key: SelectionKey): Promise<string[]> {
  const text = await readInputText(context.world, file, FILE_BYTES_MAX)
  const { parseJson } = await context.device()
  const parsed = parseJson(text)
  const where = file === '-' ? 'stdin' : file
  if ('fault' in parsed)
    throw new Fault('malformed_json', `${where} ${parsed.fault}`, { hint: `for example {"${key}": ["ID"]}` })
  const ids = (parsed.value as { [key]?: unknown } | null)?.[key]
  if (Array.isArray(ids) && ids.every((id): id is string => typeof id === 'string')) return ids
  throw new Fault('invalid_input', `${where} has no list of ids under ${key}`, {
    hint: `for example {"${key}": ["ID"]}`
  })
}
