import type { SyncSchedule } from '../../../contract/sync-run.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type CommandLine, textOption } from '../../input/command-line.ts'
import { cardLines } from '../../output/card-lines.ts'
import { durationWords } from '../../output/duration-words.ts'
import type { Column, ListView, ObjectView } from '../../output/result-writer.ts'
import { CONNECTION_WORD, findConnectionId, SEARCHED_COLLECTION_OPTION } from '../../service/find-connection-id.ts'
import { lastRunWords, nextSyncWords } from '../../views/connection-list.ts'

type Options = { ids: readonly string[]; collection: string | undefined }

export const pauseConnectionsCommand = defineCommand<Options>({
  ...shared('pause'),
  summary: 'Pause the scheduled syncs of connections',
  about: 'A running sync finishes, and memctl connections sync still works. Pausing again changes nothing.',
  run: (context, options) => answerEach(context, options, 'pauseConnection')
})

export const resumeConnectionsCommand = defineCommand<Options>({
  ...shared('resume'),
  summary: 'Resume the scheduled syncs of connections',
  about: 'A sync that became due during the pause starts at once. Resuming again changes nothing.',
  run: (context, options) => answerEach(context, options, 'resumeConnection')
})

function shared(name: 'pause' | 'resume') {
  return {
    name,
    words: [{ name: '<ids...>', ...CONNECTION_WORD }],
    options: [SEARCHED_COLLECTION_OPTION],
    examples: [`memctl connections ${name} mailbox`, `memctl connections ${name} 4f81c2 09b3d7 --json`],
    leaves: 'Some connections may already be changed; memctl connections show ID prints the state',
    parse: ({ words, options }: CommandLine): Options => ({ ids: words, collection: textOption(options, 'collection') })
  }
}

async function answerEach(
  context: Context,
  { ids, collection }: Options,
  method: 'pauseConnection' | 'resumeConnection'
): Promise<void> {
  const client = await context.client()
  const now = context.world.clock.now()
  const found = new Set<string>()
  for (const id of ids) found.add(await findConnectionId(context, id, collection))
  const done: (SyncSchedule & { id: string })[] = []
  for (const id of found) done.push({ id, ...(await client[method]({ params: { connection_id: id } })) })
  const [only, second] = done
  if (only === undefined || second !== undefined) return await context.answer.list(done, scheduleList(now))
  const { id, ...schedule } = only
  await context.answer.object(schedule, scheduleView({ id, schedule, now }))
}

type Row = SyncSchedule & { id: string }

const columnsAt = (now: number): readonly Column<Row>[] => [
  { name: 'id', value: ({ id }) => id, shortens: true },
  { name: 'state', value: ({ state }) => state },
  { name: 'paused', value: ({ paused }) => paused, format: ({ paused }) => (paused ? 'paused' : ''), leaves: 1 },
  { name: 'interval_seconds', value: (row) => row.interval_seconds, pipeOnly: true },
  { name: 'next_sync_at', value: (row) => row.next_sync_at, format: (row) => nextSyncWords(row, now), flexible: true }
]

/** Builds the list view of schedules with the ids of their connections. */
function scheduleList(now: number): ListView<Row> {
  return { columns: columnsAt(now), fields: ['running', 'last_run'], json: (row) => row, empty: 'no connections' }
}

/** Builds the view of one schedule. In a pipe, it is a row of the list. */
function scheduleView({ id, schedule, now }: { id: string; schedule: SyncSchedule; now: number }): ObjectView {
  return {
    lines: (page) =>
      cardLines(
        [
          ['connection', id],
          ['state', schedule.state],
          ['schedule', `every ${durationWords(schedule.interval_seconds * 1000)}${schedule.paused ? ', paused' : ''}`],
          ['next sync', schedule.state === 'paused' ? '' : nextSyncWords(schedule, now)],
          ['last run', lastRunWords(schedule)]
        ],
        page
      ),
    rows: () => [columnsAt(now).map((column) => column.value({ id, ...schedule }))]
  }
}
