import type { SyncSchedule } from '../../contract/sync.ts'
import type { Column, ListView, ObjectView } from '../output/answer.ts'
import { cardLines } from '../output/card.ts'
import { shortGuid } from '../output/short-forms.ts'
import { durationWords } from '../output/time-words.ts'
import { lastRunWords, nextSyncWords } from './schedule-words.ts'

type Row = SyncSchedule & { id: string }

const columnsAt = (now: number): readonly Column<Row>[] => [
  { name: 'id', value: ({ id }) => id, shown: ({ id }) => shortGuid(id) },
  { name: 'state', value: ({ state }) => state },
  { name: 'paused', value: ({ paused }) => paused, shown: ({ paused }) => (paused ? 'paused' : ''), leaves: 1 },
  { name: 'interval_seconds', value: (row) => row.interval_seconds, pipeOnly: true },
  { name: 'next_sync_at', value: (row) => row.next_sync_at, shown: (row) => nextSyncWords(row, now), flexible: true }
]

/** When connections sync, each with its id. */
export function scheduleList(now: number): ListView<Row> {
  return { columns: columnsAt(now), fields: ['running', 'last_run'], json: (row) => row, empty: 'no connection' }
}

/** When one connection syncs, in a pipe as a row of the list. */
export function scheduleView({ id, schedule, now }: { id: string; schedule: SyncSchedule; now: number }): ObjectView {
  return {
    lines: (page) =>
      cardLines(
        [
          ['connection', id],
          ['state', schedule.state],
          ['regular', `every ${durationWords(schedule.interval_seconds * 1000)}${schedule.paused ? ', paused' : ''}`],
          ['next sync', schedule.state === 'paused' ? '' : nextSyncWords(schedule, now)],
          ['last run', lastRunWords(schedule)]
        ],
        page
      ),
    rows: () => [columnsAt(now).map((column) => column.value({ id, ...schedule }))]
  }
}
