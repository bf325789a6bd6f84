import type { SyncRun } from '../../contract/sync-run.ts'
import { cardLines } from '../output/card-lines.ts'
import { durationWords } from '../output/duration-words.ts'
import { type Column, dropEyesOnly, type ListView, type ObjectView } from '../output/result-writer.ts'
import { shortTime } from '../output/short-forms.ts'

/** Describes a run among several. */
export function describeRun({ started_at, outcome }: SyncRun): string {
  return `${shortTime(started_at)}, ${outcome ?? 'running'}`
}

/** Builds the list view of the runs of one connection. `now` is used for the duration of a running sync. */
export function runList(now: number): ListView<SyncRun> {
  return {
    columns: [
      { name: 'id', value: ({ id }) => id, shortens: true, leaves: 8 },
      { name: 'connection_id', value: (run) => run.connection_id, pipeOnly: true },
      { name: 'started_at', value: (run) => run.started_at, format: (run) => shortTime(run.started_at) },
      { name: 'took', value: (run) => tookText(run, now), eyesOnly: true, leaves: 7 },
      { name: 'ended_at', value: (run) => run.ended_at, pipeOnly: true },
      { name: 'trigger', value: ({ trigger }) => trigger, leaves: 11 },
      { name: 'outcome', value: ({ outcome }) => outcome, format: ({ outcome }) => outcome ?? 'running' },
      { name: 'seen', value: ({ seen }) => seen, leaves: 3 },
      { name: 'created', value: ({ created }) => created, leaves: 5 },
      { name: 'updated', value: ({ updated }) => updated, leaves: 6 },
      { name: 'unchanged', value: ({ unchanged }) => unchanged, pipeOnly: true },
      { name: 'deleted', value: ({ deleted }) => deleted, leaves: 9 },
      { name: 'failed', value: ({ failed }) => failed, leaves: 2 },
      { name: 'skipped', value: ({ skipped }) => skipped, leaves: 10 },
      { name: 'error', value: ({ error }) => error, flexible: true, leaves: 4 },
      { name: 'reasons', value: ({ reasons }) => reasons, pipeOnly: true }
    ],
    json: (run) => run
  }
}

/** Builds the list view of runs of several connections, with columns for the connection. `providers` maps known connection ids. */
export function runsOfSeveral(now: number, providers: ReadonlyMap<string, string>): ListView<SyncRun> {
  const { columns, ...view } = runList(now)
  const findProvider = (run: SyncRun) => providers.get(run.connection_id) ?? ''
  const named: readonly Column<SyncRun>[] = [
    { name: 'provider', value: findProvider, eyesOnly: true, leaves: 1 },
    { name: 'connection', value: (run) => run.connection_id, shortens: true, eyesOnly: true }
  ]
  const isKnown = [...providers.values()].some((provider) => provider !== '')
  // The start times are nearly equal, so their column is dropped early on a narrow terminal.
  const others = columns.map((column) => (column.name === 'started_at' ? { ...column, leaves: 7 } : column))
  return { ...view, columns: [...(isKnown ? named : named.slice(1)), ...others] }
}

/** Builds the view of one run. In a pipe, it is a row of the list. */
export function runView(run: SyncRun, now: number): ObjectView {
  return {
    lines: (page) =>
      cardLines(
        [
          ['run', run.id],
          ['connection', run.connection_id],
          ['outcome', run.outcome ?? 'running'],
          ['started', `${shortTime(run.started_at)}, ${run.trigger === 'manual' ? 'manually' : 'by schedule'}`],
          ['took', tookText(run, now)],
          ['items', countWords(run, true).join(' · ')],
          ['reasons', reasonsText(run)],
          ['error', run.error]
        ],
        page
      ),
    rows: () => [dropEyesOnly(runList(now).columns).map((column) => column.value(run))]
  }
}

function tookText({ started_at, ended_at }: SyncRun, now: number): string {
  return durationWords((ended_at === null ? now : Date.parse(ended_at)) - Date.parse(started_at))
}

type Counts = Pick<SyncRun, 'seen' | 'created' | 'updated' | 'deleted' | 'failed' | 'skipped'>

/** Formats the counters of a sync without zeros: `seen 1,200`, `new 1,150`, `failed 2`. */
export function countWords(counts: Counts & { unchanged?: number }, whole = false): string[] {
  const named = [
    ['new', counts.created],
    ['changed', counts.updated],
    ['unchanged', whole ? (counts.unchanged ?? 0) : 0],
    ['deleted', counts.deleted],
    ['failed', counts.failed],
    ['skipped', counts.skipped]
  ] as const
  const more = named.filter(([, count]) => count > 0)
  return [['seen', counts.seen] as const, ...more].map(([name, count]) => `${name} ${count.toLocaleString('en-US')}`)
}

/** Formats the reasons for failed and skipped items with their counts. */
export function reasonsText({ reasons }: Pick<SyncRun, 'reasons'>): string {
  return reasons.map(({ reason, count }) => `${count.toLocaleString('en-US')} × ${reason}`).join('; ')
}
