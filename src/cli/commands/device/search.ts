import { Fault } from '../../../contract/faults.ts'
import type { Device, SearchOptions, SearchOutcome } from '../../../device/types.ts'
import { defineCommand, type Given } from '../../command.ts'
import type { Context } from '../../context.ts'
import { textOption } from '../../input/option-values.ts'
import { SEARCH_OPTIONS, searchOptions, withTime } from '../../input/search-options.ts'
import { absenceView } from '../../views/absence.ts'
import { refuseDamage } from '../../views/damage.ts'
import { answerResponse } from '../../views/response.ts'
import { readSnapshot } from './open-snapshot.ts'
import { answerQueries } from './search-queries.ts'
import { searchRemote } from './search-remote.ts'

type Options = {
  query: string | undefined
  queries: string | undefined
  whyNot: string | undefined
  remote: boolean
  search: SearchOptions
}

export const search = defineCommand<Options>({
  name: 'search',
  summary: 'find memories by what they say',
  words: [{ name: '[query...]', about: 'what to look for, in plain words' }],
  options: [
    ...SEARCH_OPTIONS,
    { flags: '--why-not <id>', about: 'of a memory: its place among all found, and what it lacks beside the best' },
    { flags: '--queries <file>', about: 'many: lines {"id", "query"} in, lines {"id", "response"} out; - is stdin' },
    { flags: '--remote', about: 'send the snapshot along and have the server search it; it keeps nothing' }
  ],
  about:
    'Needs no network, but for --remote. Facts that no longer hold are left out unless the query asks by time (before,\n' +
    'when, used to) or --as-of is given. A terminal shows the snippets that answer, with the words that were found; device\n' +
    'show ID shows a memory whole. With --json the answer is a MemoryResponse: semantics, procedures, episodes, sources; with\n' +
    '--why-not one object: rank, found, shown, score, best, reasons, and compared, what each thing gave the memory and the\n' +
    'best one.',
  examples: [
    'memctl device search "where does Anna live"',
    'memctl device search deadline --limit 3 --json',
    'memctl device search "where does Anna live" --as-of 2024-06-30',
    'memctl device search "where does Anna live" --why-not mem_4be0c1'
  ],
  leaves: 'Searching changes nothing in the snapshot',
  parse: parseSearch,
  run: async (context, { query = '', queries, whyNot, remote, search: given }) => {
    const options = withTime(given, context.world.clock.now())
    if (remote) return await searchRemote(context, query, options)
    await readSnapshot(context, async (device) => {
      if (queries !== undefined) return await answerQueries(context, device, { name: queries, options })
      if (whyNot !== undefined) return await answerWhyNot(context, device, { query, id: whyNot, options })
      await answerOne(context, device, { query, options })
    })
  }
})

async function answerOne(
  context: Context,
  device: Device,
  asked: { query: string; options: SearchOptions }
): Promise<void> {
  const outcome = await device.search(asked.query, asked.options)
  await answerResponse(context, outcome, asked.options.groups)
  await sayNotes(context, outcome)
  await refuseDamage(context, outcome.damaged, device.path)
}

async function answerWhyNot(
  context: Context,
  device: Device,
  asked: { query: string; id: string; options: SearchOptions }
): Promise<void> {
  const outcome = await device.whyNot(asked.query, asked.id, asked.options)
  await context.answer.object(outcome.absence, absenceView(outcome.absence))
  await sayNotes(context, outcome)
  await refuseDamage(context, outcome.damaged, device.path)
}

/** What a person should know about the snapshot beside the answer. */
async function sayNotes(
  { talk }: Context,
  { notes, vanished }: Pick<SearchOutcome, 'notes' | 'vanished'>
): Promise<void> {
  for (const note of notes) await talk.note(note)
  for (const id of vanished)
    await talk.warn(`${id} was in the snapshot at the last look; now it is neither there nor forgotten`)
}

function parseSearch({ words, options }: Given): Options {
  const queries = textOption(options, 'queries')
  if (words.length === 0 && queries === undefined) {
    throw new Fault('usage', 'there is nothing to look for', {
      hint: 'memctl device search "a question", or --queries FILE'
    })
  }
  if (words.length > 0 && queries !== undefined)
    throw new Fault('usage', 'a query and --queries exclude each other', { hint: 'give one of them' })
  const whyNot = textOption(options, 'whyNot')
  if (whyNot !== undefined && queries !== undefined) {
    throw new Fault('usage', '--why-not and --queries exclude each other', {
      hint: 'ask of one query: memctl device search "a question" --why-not ID'
    })
  }
  const remote = options.remote === true
  if (remote && (queries ?? whyNot) !== undefined) {
    throw new Fault('usage', '--remote takes one query, and no --why-not', {
      hint: 'leave out --remote: it works here'
    })
  }
  const query = words.length > 0 ? words.join(' ') : undefined
  return { query, queries, whyNot, remote, search: searchOptions(options) }
}
