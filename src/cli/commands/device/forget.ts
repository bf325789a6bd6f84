import { Fault } from '../../../contract/faults.ts'
import { LIMIT_DEFAULT, LIMIT_MAX } from '../../../contract/groups.ts'
import type { MemoryRecord } from '../../../contract/snapshot.ts'
import type { Device } from '../../../device/types.ts'
import { ask } from '../../ask.ts'
import { defineCommand, type Given } from '../../command.ts'
import type { Context } from '../../context.ts'
import { integerOption, textOption } from '../../input/option-values.ts'
import { counted, shellWord, shortId, shortTime } from '../../output/short-forms.ts'
import { forgetView } from '../../views/forgotten.ts'
import { RECORD_LIST } from '../../views/record-list.ts'
import { writeSnapshot } from './open-snapshot.ts'

export type ForgetOptions = {
  ids: readonly string[]
  query: string | undefined
  limit: number | undefined
  dryRun: boolean
  compact: boolean
  reason: string | undefined
}

export const forget = defineCommand<ForgetOptions>({
  name: 'forget',
  summary: 'take memories back, for good',
  words: [{ name: '[ids...]', about: 'ids of memories, or their first 6 characters or more' }],
  options: [
    { flags: '--query <text>', about: 'what a search finds, after asking' },
    { flags: '--limit <n>', about: `with --query: at most so many; ${LIMIT_DEFAULT} by default` },
    { flags: '--dry-run', about: 'forget nothing, show what would be forgotten' },
    { flags: '--compact', about: 'also take the text out of the file' },
    { flags: '--reason <text>', about: 'kept beside the forgotten id' }
  ],
  about:
    'Forgetting is for good: no import, sync or merge brings the memory back. The text stays in the file until compact.',
  examples: ['memctl device forget mem_4be0c1', 'memctl device forget --query "old address" --yes --compact'],
  leaves: 'Each memory is forgotten or is not; give the command again to go on',
  parse: parseForget,
  run: async (context, options) => {
    await writeSnapshot(context, (device) =>
      options.query === undefined ? forgetIds(context, device, options) : forgetFound(context, device, options)
    )
  }
})

async function forgetIds(context: Context, device: Device, options: ForgetOptions): Promise<void> {
  if (!options.dryRun) return await forgetThese(context, device, { ids: options.ids, options })
  const records = options.ids.map((id) => device.show(id).record)
  await context.answer.list(records, RECORD_LIST)
}

/** Lists what the search found, with all its copies, and asks before anything of it goes. */
async function forgetFound(context: Context, device: Device, options: ForgetOptions): Promise<void> {
  const found = await device.search(options.query ?? '', { limit: options.limit, groups: ['sources'] })
  const ids = found.response.sources.flatMap(({ source_ids }) => source_ids)
  const records = ids.slice(0, options.limit ?? LIMIT_DEFAULT).map((id) => device.show(id).record)
  if (options.dryRun || records.length === 0) {
    if (records.length === 0) await context.talk.note('nothing found, nothing forgotten')
    return await context.answer.list(records, RECORD_LIST)
  }
  const command = withoutQuestion(context, options)
  const text = `Forget ${records.length === 1 ? 'this memory' : `these ${counted(records.length, 'memory', 'memories')}`}, for good?`
  const yes = await ask(context, { about: records.map(foundLine), text, otherwise: false, flag: '--yes', command })
  if (!yes) return await context.talk.note('nothing was forgotten')
  await forgetThese(context, device, { ids: records.map((record) => record.id), options })
}

/** The same command, but that it does not ask. */
function withoutQuestion({ flags }: Context, { query = '', limit, compact, reason }: ForgetOptions): string {
  const words = [
    ...['memctl', 'device', 'forget', '--query', query],
    ...(limit === undefined ? [] : ['--limit', String(limit)]),
    ...(reason === undefined ? [] : ['--reason', reason]),
    ...(compact ? ['--compact'] : []),
    ...(flags.snapshot === undefined ? [] : ['--snapshot', flags.snapshot]),
    '--yes'
  ]
  return words.map(shellWord).join(' ')
}

function foundLine(record: MemoryRecord): string[] {
  return [
    `  ${shortId(record.id)}  ${shortTime(record.at)}  ${record.speaker === undefined ? '' : `${record.speaker}: `}${record.text.slice(0, 200)}`
  ]
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
  if (context.answer.mode === 'tsv') for (const place of report.remains) await context.talk.note(place)
  for (const note of report.notes) await context.talk.note(note)
  if (!compact && report.forgotten.length > 0)
    await context.talk.hint(`${compactCommand(context)} takes the text out of the file`)
}

function compactCommand({ flags }: Context): string {
  const { snapshot } = flags
  return `memctl device compact${snapshot === undefined ? '' : ` --snapshot ${shellWord(snapshot)}`}`
}

function parseForget({ words, options }: Given): ForgetOptions {
  const query = textOption(options, 'query')
  if (words.length === 0 && query === undefined) {
    throw new Fault('usage', 'there is nothing named to forget', { hint: 'memctl device forget ID…, or --query TEXT' })
  }
  if (words.length > 0 && query !== undefined)
    throw new Fault('usage', 'ids and --query exclude each other', { hint: 'give one of them' })
  return {
    ids: words,
    query,
    limit: integerOption(options, 'limit', { least: 1, most: LIMIT_MAX }),
    dryRun: options.dryRun === true,
    compact: options.compact === true,
    reason: textOption(options, 'reason')
  }
}
