import { Fault } from '../../../contract/faults.ts'
import { LIMIT_DEFAULT, LIMIT_MAX } from '../../../contract/groups.ts'
import type { MemoryRecord } from '../../../contract/snapshot.ts'
import type { Device, ForgetReport } from '../../../device/device.ts'
import { makeDeclinedFault, showAbout } from '../../command/ask.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type CommandLine, integerOption, textOption } from '../../input/command-line.ts'
import { readInputText } from '../../input/read-input-text.ts'
import { cardLines, textLines } from '../../output/card-lines.ts'
import type { ObjectView } from '../../output/result-writer.ts'
import { formatCount, shellWord, shortId, shortTime } from '../../output/short-forms.ts'
import type { Page, StyledLine } from '../../output/styled-line.ts'
import type { Choice } from '../../picker/pick-state.ts'
import { canPick, runPicker } from '../../picker/run-picker.ts'
import { openSnapshotForWriting, snapshotFlag } from '../../snapshots/open-snapshot.ts'
import { isSearchNumber, resolveNumber } from '../../snapshots/search-numbers.ts'
import { formatSpokenText, memoryLines, RECORD_LIST } from '../../views/record-list.ts'

/** The memories to forget: ids, or a choice from the matches of a query. */
type ForgetOptions = { dryRun: boolean; compact: boolean; reason: string | undefined } & (
  | { ids: readonly string[]; idsFrom: string | undefined; query?: undefined }
  | QueryOptions
)

export const forgetCommand = defineCommand<ForgetOptions>({
  name: 'forget',
  summary: 'Forget memories permanently',
  words: [
    {
      name: '[ids...]',
      about: 'memory ids, their first 6 characters or more, or numbers of the last search',
      live: 'memory'
    }
  ],
  options: [
    { flags: '--ids-from <file>', about: 'file with one id per line, or with records as JSON Lines; - for stdin' },
    {
      flags: '--query <text>',
      about: 'choose from the memories that match; requires an interactive session or --dry-run'
    },
    { flags: '--limit <n>', about: `maximum number of matches of --query; ${LIMIT_DEFAULT} by default` },
    { flags: '--dry-run', about: 'list the memories without forgetting them' },
    { flags: '--compact', about: 'also remove the text from the file' },
    { flags: '--reason <text>', about: 'reason to store with the forgotten id' }
  ],
  about:
    'Forgetting is permanent: no import, sync or merge restores the memory. The text stays in the file until ' +
    'memctl device compact. A query proposes memories that contain at least half of its words; you choose among them and ' +
    'confirm, as for a number of the last search, and --yes does not replace that. Scripts list the matches with --dry-run and forget by id.',
  examples: [
    'memctl device forget mem_4be0c1',
    'memctl device forget 1',
    'memctl device forget --query "old address"',
    'memctl device forget --query "old address" --dry-run',
    'memctl device forget --ids-from ids.txt'
  ],
  leaves: 'Some memories may already be forgotten; run the command again to continue',
  parse: parseForget,
  run: async (context, options) => {
    if (options.query === undefined) return await forgetIds(context, options)
    if (!options.dryRun) refuseUnattendedQuery(context, options.query)
    await openSnapshotForWriting(context, async (device) => {
      if (options.dryRun) return await listMatches(context, device, options)
      const ids = await chooseMatches(context, device, { ...options, command: commandFor(context, options) })
      if (ids.length > 0) await forgetThese(context, device, { ids, options })
    })
  }
})

async function forgetIds(context: Context, options: ForgetOptions & { query?: undefined }): Promise<void> {
  const ids = options.idsFrom === undefined ? options.ids : await readIds(context, options.idsFrom)
  if (ids.length === 0) {
    await context.diagnostics.note('No ids were given; nothing was forgotten.')
    const nothing: ForgetReport = { forgotten: [], already: [], fallen: 0, remains: [], notes: [] }
    return await context.answer.object(nothing, forgetView(nothing))
  }
  await openSnapshotForWriting(context, async (device) => {
    const found = ids.map((id) => resolveNumber(context, id, device.path))
    if (options.dryRun) {
      const records = found.map((id) => device.show(id).record)
      return await context.answer.list(records, RECORD_LIST)
    }
    const numbered = found.filter((_, at) => isSearchNumber(ids[at] ?? ''))
    if (numbered.length > 0) {
      await confirmForgetting(
        context,
        numbered.map((id) => device.show(id).record)
      )
      await context.diagnostics.hint(`to do the same without prompts: ${commandFor(context, options)(found)}`)
    }
    await forgetThese(context, device, { ids: found, options })
  })
}

/** Maximum size of a list of ids, in bytes. */
const IDS_BYTES_MAX = 64 << 20

/**
 * Reads memory ids from a file or, for `-`, from stdin: one per line, or a record with an `id` as `list` and
 * `forget --dry-run` print it with `--jsonl`. Skips empty lines. Throws at the first line that is neither, so that the wrong
 * file never deletes anything.
 */
async function readIds(context: Context, name: string): Promise<string[]> {
  const { parseJson } = await context.device()
  const text = (await readInputText(context.world, name, IDS_BYTES_MAX)).replace(/^\ufeff/, '')
  const where = name === '-' ? 'stdin' : name
  return text.split('\n').flatMap((line, index) => {
    const word = line.trim()
    if (word === '') return []
    const id = word.startsWith('{') ? recordId(parseJson(word)) : word
    if (id !== undefined && ID.test(id)) return [id]
    throw new Fault('invalid_input', `${where}, line ${index + 1}: expected the id of a memory`, {
      hint: 'put one id on each line, as memctl device list --fields id prints them'
    })
  })
}

/** A full id, or at least its first 6 characters. */
const ID = /^(?:mem_)?[0-9a-f]{6,32}$/

function recordId(parsed: { value: unknown } | { fault: string }): string | undefined {
  if ('fault' in parsed || typeof parsed.value !== 'object' || parsed.value === null) return undefined
  const id: unknown = Reflect.get(parsed.value, 'id')
  return typeof id === 'string' && id.startsWith('mem_') ? id : undefined
}

/** Returns a function that builds the command that forgets the given ids without prompts. */
function commandFor(
  context: Context,
  { reason, compact }: Pick<ForgetOptions, 'reason' | 'compact'>
): (ids: readonly string[]) => string {
  const flags = `${reason === undefined ? '' : ` --reason ${shellWord(reason)}`}${compact ? ' --compact' : ''}`
  return (ids) => `memctl device forget ${ids.join(' ')}${flags}${snapshotFlag(context)}`
}

async function forgetThese(
  context: Context,
  device: Device,
  asked: { ids: readonly string[]; options: ForgetOptions }
): Promise<void> {
  const { compact, reason } = asked.options
  const signal = context.world.terminal.interrupted
  const report = await device.forget([...asked.ids], { compact, signal, ...(reason === undefined ? {} : { reason }) })
  await context.answer.object(report, forgetView(report))
  if (context.answer.mode === 'tsv') for (const place of report.remains) await context.diagnostics.note(place)
  for (const note of report.notes) await context.diagnostics.note(note)
  if (!compact && report.forgotten.length > 0)
    await context.diagnostics.hint(`to remove the text from the file: memctl device compact${snapshotFlag(context)}`)
}

function parseForget({ words, options }: CommandLine): ForgetOptions {
  const query = textOption(options, 'query')
  const idsFrom = textOption(options, 'idsFrom')
  const limit = integerOption(options, 'limit', { least: 1, most: LIMIT_MAX })
  const ways = [words.length > 0, query !== undefined, idsFrom !== undefined].filter((given) => given).length
  if (ways === 0) {
    throw new Fault('usage', 'missing memory ids, --ids-from or --query', {
      hint: 'memctl device forget ID…, or memctl device forget --query TEXT'
    })
  }
  if (ways > 1)
    throw new Fault('usage', 'ids, --ids-from and --query cannot be used together', { hint: 'give one of them' })
  if (limit !== undefined && query === undefined)
    throw new Fault('usage', '--limit requires --query', { hint: 'omit --limit: all given ids are forgotten' })
  const more = {
    dryRun: options.dryRun === true,
    compact: options.compact === true,
    reason: textOption(options, 'reason')
  }
  return query === undefined ? { ...more, ids: words, idsFrom } : { ...more, query, limit }
}

/** The values of `--query` and `--limit`. */
type QueryOptions = { query: string; limit: number | undefined }

/**
 * A memory is offered only if it contains at least this share of the query, by the weight of the query's words. Related
 * words and neighbouring turns, which ranking counts, do not count here. A score cannot be the floor: the best hit of an
 * unrelated query scores .10 in MADial and .39 in BEAM (medians), while the share means the same in every snapshot.
 * Measured with `test/bench/forget-floor.mjs` over the first ten hits: half offers at most 1.1 % of the hits of unrelated
 * queries in each of MADial, BEAM, REALTALK, LoCoMo, CACM and Cranfield (a third up to 5.6 %), and 35 to 66 % of the memories
 * that answer a set's own questions. MADial is the exception: its queries are whole dialogues, and none is offered.
 * `device search` finds the others, which can be forgotten by id.
 */
const COVERAGE_FLOOR = 0.5

/**
 * Throws if the user cannot choose: outside an interactive session, in JSON mode, or on a terminal that cannot be redrawn. A
 * query never deletes without a choice, not even with `--yes`.
 */
function refuseUnattendedQuery(context: Context, query: string): void {
  const { answer } = context
  if (canPick(context) && answer.mode !== 'json' && answer.mode !== 'jsonl') return
  const snapshot = snapshotFlag(context)
  const list = `memctl device forget --query ${shellWord(query)} --dry-run${snapshot}`
  const byId = `memctl device forget --ids-from -${snapshot}`
  throw new Fault('input_needed', '--query requires an interactive session, where you choose among the matches', {
    hint: `list the matches: ${list}; then pass the ids to forget, one per line: ${byId}`,
    next: [list, byId]
  })
}

/** Lists the memories that the picker would offer. */
async function listMatches(context: Context, device: Device, asked: QueryOptions): Promise<void> {
  await context.answer.list(await findMatches(context, device, asked), RECORD_LIST)
}

/**
 * Lets the user choose among the matches of a query, with none preselected, and confirm the choice. Returns no ids if nothing
 * matches.
 *
 * @throws Fault `declined` if the user leaves the picker or does not confirm.
 */
async function chooseMatches(
  context: Context,
  device: Device,
  asked: QueryOptions & { command: (ids: readonly string[]) => string }
): Promise<readonly string[]> {
  const records = await findMatches(context, device, asked)
  if (records.length === 0) return []
  const picked = await runPicker(context, {
    words: { question: 'Which memories to forget?', one: 'memory', many: 'memories', elsewhere: '', tree: false },
    most: records.length,
    before: [],
    load: async () => records.map(toChoice)
  })
  const chosen = records.filter(({ id }) => picked?.has(id))
  const ids = chosen.map(({ id }) => id)
  if (ids.length === 0) throw makeDeclinedFault('nothing was forgotten')
  await confirmForgetting(context, chosen)
  await context.diagnostics.hint(`to do the same without prompts: ${asked.command(ids)}`)
  return ids
}

/**
 * Shows memories and asks the user to confirm that they are to be forgotten.
 *
 * @throws Fault `declined` if not.
 */
async function confirmForgetting(context: Context, records: readonly MemoryRecord[]): Promise<void> {
  await showAbout(context, records.flatMap(memoryLines))
  const count = records.length
  const text = `Permanently forget ${count === 1 ? 'this memory' : `these ${formatCount(count, 'memory', 'memories')}`}?`
  if (!(await context.world.terminal.confirm(text, false))) throw makeDeclinedFault('nothing was forgotten')
}

/** Finds memories that contain enough of the query, best first, including duplicates. Notes how many others were found. */
async function findMatches(context: Context, device: Device, { query, limit }: QueryOptions): Promise<MemoryRecord[]> {
  const { response, coverageOf } = await device.search(query, { limit, groups: ['sources'] })
  const found = response.sources.flatMap(({ source_ids }) => source_ids).map((id) => device.show(id).record)
  const matching = found.filter(({ speaker, text }) => coverageOf(`${speaker ?? ''}\n${text}`) >= COVERAGE_FLOOR)
  const records = matching.slice(0, limit ?? LIMIT_DEFAULT)
  const resembling = found.length - matching.length
  if (records.length === 0) await context.diagnostics.note('No memories match; nothing was forgotten.')
  if (resembling > 0) {
    const count = formatCount(resembling, 'memory that matches', 'memories that match')
    await context.diagnostics.note(`Omitted ${count} less than half of the query.`)
  }
  return records
}

function toChoice({ id, speaker, text, at }: MemoryRecord): Choice {
  const remarks = [shortId(id), shortTime(at).slice(0, 'YYYY-MM-DD'.length)]
  return { id, name: formatSpokenText({ speaker, text }), chosen: false, opens: false, remarks }
}

/** Builds the view of a report: the forgotten ids, and the places where their text still exists. */
function forgetView(report: ForgetReport): ObjectView {
  return {
    lines: (page) => forgetLines(report, page),
    rows: () => [...report.forgotten.map((id) => [id, 'forgotten']), ...report.already.map((id) => [id, 'already'])]
  }
}

function forgetLines({ forgotten, already, fallen, remains }: ForgetReport, page: Page): StyledLine[] {
  const ids = cardLines(
    [
      ...forgotten.map((id): [string, string] => ['forgotten', id]),
      ...already.map((id): [string, string] => ['already forgotten', id]),
      ['related lines', fallen === 0 ? undefined : `${fallen} dropped`]
    ],
    page
  )
  return [...ids, ...remains.flatMap((place) => textLines(place, page))]
}
