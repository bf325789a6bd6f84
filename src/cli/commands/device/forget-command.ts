import { Fault } from '../../../contract/faults.ts'
import { LIMIT_DEFAULT, LIMIT_MAX } from '../../../contract/groups.ts'
import type { MemoryRecord } from '../../../contract/snapshot.ts'
import type { Device, ForgetReport } from '../../../device/device.ts'
import { makeDeclinedFault, showAbout } from '../../command/ask.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type CommandLine, integerOption, textOption } from '../../input/command-line.ts'
import { readInputText } from '../../input/read-input-text.ts'
import { cardLines, quoteLine, textLines } from '../../output/card-lines.ts'
import type { ObjectView } from '../../output/result-writer.ts'
import { formatCount, shellWord, shortId, shortTime } from '../../output/short-forms.ts'
import type { Page, StyledLine } from '../../output/styled-line.ts'
import { toPlainLine } from '../../output/to-plain-text.ts'
import type { Choice } from '../../picker/pick-state.ts'
import { canPick, runPicker } from '../../picker/run-picker.ts'
import { openSnapshotForWriting, snapshotFlag } from '../../snapshots/open-snapshot.ts'
import { RECORD_LIST } from '../../views/record-list.ts'

/** What to forget: ids, or what a person chooses among the matches of a query. */
type ForgetOptions = { dryRun: boolean; compact: boolean; reason: string | undefined } & (
  | { ids: readonly string[]; idsFrom: string | undefined; query?: undefined }
  | QueryOptions
)

export const forgetCommand = defineCommand<ForgetOptions>({
  name: 'forget',
  summary: 'Forget memories permanently',
  words: [{ name: '[ids...]', about: 'ids of memories, or their first 6 characters or more' }],
  options: [
    { flags: '--ids-from <file>', about: 'read ids from a file, one a line, or records as JSON Lines; - is stdin' },
    { flags: '--query <text>', about: 'choose from the memories that match; needs a terminal, or --dry-run' },
    { flags: '--limit <n>', about: `with --query: the number of matches; ${LIMIT_DEFAULT} by default` },
    { flags: '--dry-run', about: 'list what would be forgotten, and forget nothing' },
    { flags: '--compact', about: 'also remove the text from the file' },
    { flags: '--reason <text>', about: 'kept beside the forgotten id' }
  ],
  about:
    'Forgetting is permanent: no import, sync or merge brings the memory back. The text stays in the file until compact. ' +
    'A query only proposes memories that say at least half of it themselves: you choose among them and confirm, and ' +
    '--yes does not answer that. Scripts list the matches with --dry-run and forget by id.',
  examples: [
    'memctl device forget mem_4be0c1',
    'memctl device forget --query "old address"',
    'memctl device forget --query "old address" --dry-run',
    'memctl device forget --ids-from ids.txt'
  ],
  leaves: 'Each memory is forgotten or it is not; run the command again to continue',
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
    await context.diagnostics.note('no ids were given, nothing was forgotten')
    const nothing: ForgetReport = { forgotten: [], already: [], fallen: 0, remains: [], notes: [] }
    return await context.answer.object(nothing, forgetView(nothing))
  }
  await openSnapshotForWriting(context, async (device) => {
    if (!options.dryRun) return await forgetThese(context, device, { ids, options })
    const records = ids.map((id) => device.show(id).record)
    await context.answer.list(records, RECORD_LIST)
  })
}

/** A list of ids is not larger. In bytes. */
const IDS_BYTES_MAX = 64 << 20

/**
 * Reads ids of memories from a file or, for `-`, from stdin: one a line, or a record with an `id` as `list` and
 * `forget --dry-run` print it with `--jsonl`. Empty lines are passed over. Throws at the first line that is neither, so
 * that a file of something else never deletes anything.
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
      hint: 'one id a line, as memctl device list --fields id prints them'
    })
  })
}

/** An id in full, or at least 6 characters of it. */
const ID = /^(?:mem_)?[0-9a-f]{6,32}$/

function recordId(parsed: { value: unknown } | { fault: string }): string | undefined {
  if ('fault' in parsed || typeof parsed.value !== 'object' || parsed.value === null) return undefined
  const id: unknown = Reflect.get(parsed.value, 'id')
  return typeof id === 'string' && id.startsWith('mem_') ? id : undefined
}

/** Makes the command that forgets these ids without asking. */
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
    await context.diagnostics.hint(`memctl device compact${snapshotFlag(context)} removes the text from the file`)
}

function parseForget({ words, options }: CommandLine): ForgetOptions {
  const query = textOption(options, 'query')
  const idsFrom = textOption(options, 'idsFrom')
  const limit = integerOption(options, 'limit', { least: 1, most: LIMIT_MAX })
  const ways = [words.length > 0, query !== undefined, idsFrom !== undefined].filter((given) => given).length
  if (ways === 0) {
    throw new Fault('usage', 'there is nothing named to forget', {
      hint: 'memctl device forget ID…, or --ids-from FILE, or --query TEXT'
    })
  }
  if (ways > 1) throw new Fault('usage', 'ids, --ids-from and --query exclude each other', { hint: 'give one of them' })
  if (limit !== undefined && query === undefined)
    throw new Fault('usage', '--limit goes with --query', { hint: 'leave out --limit: all ids given are forgotten' })
  const more = {
    dryRun: options.dryRun === true,
    compact: options.compact === true,
    reason: textOption(options, 'reason')
  }
  return query === undefined ? { ...more, ids: words, idsFrom } : { ...more, query, limit }
}

/** What `--query` and its `--limit` ask for. */
type QueryOptions = { query: string; limit: number | undefined }

/**
 * A memory is offered only if it says at least this share of the query itself, by the weight of the query's words. Related
 * words and neighbouring turns, which ranking counts, do not count here. A score cannot be the floor: the best hit of an
 * unrelated query scores .10 in MADial and .39 in BEAM (medians), while the share means the same in every snapshot.
 * Measured with `test/bench/forget-floor.mjs` over the first ten hits: half offers at most 1.1 % of the hits of unrelated
 * queries in each of MADial, BEAM, REALTALK, LoCoMo, CACM and Cranfield (a third up to 5.6 %), and 35 to 66 % of the memories
 * that answer a set's own questions. MADial is the exception: its queries are whole dialogues, and none is offered.
 * `device search` finds the others, and they are forgotten by id.
 */
const COVERAGE_FLOOR = 0.5

/**
 * Throws where no person can choose: outside an interactive session, in JSON mode, or on a terminal that cannot be drawn over.
 * A query is no way to delete there, whatever `--yes` says.
 */
function refuseUnattendedQuery(context: Context, query: string): void {
  const { answer } = context
  if (canPick(context) && answer.mode !== 'json' && answer.mode !== 'jsonl') return
  const snapshot = snapshotFlag(context)
  const list = `memctl device forget --query ${shellWord(query)} --dry-run${snapshot}`
  const byId = `memctl device forget --ids-from -${snapshot}`
  throw new Fault('input_needed', '--query only proposes memories: a person has to choose among them on a terminal', {
    hint: `list the matches: ${list}; then forget those you mean, one id a line: ${byId}`,
    next: [list, byId]
  })
}

/** Lists what a person would be offered. */
async function listMatches(context: Context, device: Device, asked: QueryOptions): Promise<void> {
  await context.answer.list(await findMatches(context, device, asked), RECORD_LIST)
}

/**
 * Lets the person choose among the matches of a query, with none of them chosen beforehand, and confirm the choice. Returns no
 * id where nothing matches.
 *
 * @throws Fault `declined` where the person leaves the list or does not confirm.
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
  await showAbout(context, chosen.flatMap(matchLines))
  const text = `Forget ${ids.length === 1 ? 'this memory' : `these ${formatCount(ids.length, 'memory', 'memories')}`} for good?`
  if (!(await context.world.terminal.confirm(text, false))) throw makeDeclinedFault('nothing was forgotten')
  await context.diagnostics.hint(`the same without a question: ${asked.command(ids)}`)
  return ids
}

/** Memories that say enough of the query, best first, with those that say the same; the others are counted. */
async function findMatches(context: Context, device: Device, { query, limit }: QueryOptions): Promise<MemoryRecord[]> {
  const { response, coverageOf } = await device.search(query, { limit, groups: ['sources'] })
  const found = response.sources.flatMap(({ source_ids }) => source_ids).map((id) => device.show(id).record)
  const matching = found.filter(({ speaker, text }) => coverageOf(`${speaker ?? ''}\n${text}`) >= COVERAGE_FLOOR)
  const records = matching.slice(0, limit ?? LIMIT_DEFAULT)
  const resembling = found.length - matching.length
  if (records.length === 0) await context.diagnostics.note('no memory matches, nothing was forgotten')
  if (resembling > 0) {
    const are = formatCount(resembling, 'memory only resembles', 'memories only resemble')
    await context.diagnostics.note(`${are} the query and ${resembling === 1 ? 'is' : 'are'} not offered`)
  }
  return records
}

function toChoice({ id, speaker, text, at }: MemoryRecord): Choice {
  const remarks = [shortId(id), shortTime(at).slice(0, 'YYYY-MM-DD'.length)]
  return { id, name: formatSpokenText({ speaker, text }), chosen: false, opens: false, remarks }
}

function matchLines({ id, at, speaker, text }: MemoryRecord): StyledLine[] {
  return [[`  ${shortId(id)}  ${shortTime(at)}`], quoteLine([formatSpokenText({ speaker, text })], 2)]
}

/** So much of a text is shown before it is forgotten. */
const SHOWN_CHARACTERS_MAX = 200

function formatSpokenText({ speaker, text }: Pick<MemoryRecord, 'speaker' | 'text'>): string {
  const line = `${speaker === undefined ? '' : `${toPlainLine(speaker)}: `}${toPlainLine(text)}`
  return line.length <= SHOWN_CHARACTERS_MAX ? line : `${line.slice(0, SHOWN_CHARACTERS_MAX)}…`
}

/** What was forgotten, and where its text still is. */
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
      ...already.map((id): [string, string] => ['forgotten already', id]),
      ['lines about them', fallen === 0 ? undefined : `${fallen} dropped`]
    ],
    page
  )
  return [...ids, ...remains.flatMap((place) => textLines(place, page))]
}
