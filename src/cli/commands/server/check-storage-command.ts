import { Fault } from '../../../contract/faults.ts'
import type { ServerFlags } from '../../../ports.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { cardLines, hangingLines } from '../../output/card-lines.ts'
import type { ListView } from '../../output/result-writer.ts'
import { formatCount, shellWord } from '../../output/short-forms.ts'
import type { Page, StyledLine } from '../../output/styled-line.ts'
import type { AsideRow, ServerHost, StorageFinding, StorageReport } from '../../ports/server-host.ts'
import { findDataFolder } from '../../service/find-own-server.ts'
import { DATA_DIR_OPTION, DATABASE_URL_OPTION, serverFlags } from './server-flags.ts'

type Options = { flags: ServerFlags; repair: boolean; aside: boolean }

export const checkStorageCommand = defineCommand<Options>({
  name: 'check',
  summary: 'Verify all lines, references and counters of the server database',
  options: [
    { flags: '--repair', about: 'set damaged lines and rows aside, and correct counters and references' },
    { flags: '--aside', about: 'list what repairs set aside, with its contents in JSON; checks nothing' },
    DATA_DIR_OPTION,
    DATABASE_URL_OPTION
  ],
  about:
    'Reads the database directly, not through the server. Without --repair it changes nothing, and a server may run meanwhile. ' +
    'To repair the embedded database, stop the server first; servers that use PostgreSQL can keep running. A repair deletes ' +
    'nothing: it sets damaged data aside in the database, where --aside lists it until its memory is forgotten or its collection ' +
    'is deleted. Exits with 10 if damage remains. For a database file the check includes `PRAGMA integrity_check`. A running server ' +
    'verifies everything except that about once a day in the background; `memctl doctor` and the metrics of the server report what it found.',
  examples: [
    'memctl server check',
    'memctl server stop && memctl server check --repair && memctl server start --detach',
    'memctl server check --json | jq ".findings[] | select(.outcome == \\"found\\")"',
    'memctl server check --aside --jsonl > aside.jsonl'
  ],
  leaves: 'A check changes nothing; a repair keeps what it has repaired so far, so run it again to continue',
  parse: ({ options }) => {
    const [repair, aside] = [options.repair === true, options.aside === true]
    if (repair && aside)
      throw new Fault('usage', 'expected --repair or --aside, received both', {
        hint: 'memctl server check --repair, then memctl server check --aside'
      })
    return { flags: serverFlags(options), repair, aside }
  },
  run: async (context, { flags, repair, aside }) => {
    const host = await context.modules.server()
    if (aside) return await context.answer.list(await host.listAside(flags), ASIDE_VIEW)
    const storage = await openStorage(context, host, flags)
    const report = { storage, repair, ...(await checkWatched(context, host, { flags, repair })) }
    await context.answer.object(report, {
      lines: (page) => reportLines(report, page),
      rows: () => report.findings.map((row) => [row.outcome, row.table, row.place, row.problem])
    })
    refuseDamage(report, flags)
  }
})

type Storage = { engine: 'sqlite' | 'postgres'; where: string }

async function openStorage(context: Context, host: ServerHost, flags: ServerFlags): Promise<Storage> {
  const settings = await host.settings(flags)
  const url = settings.find(({ key }) => key === 'database_url')?.value
  if (url !== undefined && url !== null) return { engine: 'postgres', where: url }
  return { engine: 'sqlite', where: `${await findDataFolder(context, host, flags)}/server.db` }
}

/** Runs the check, and shows its progress on a terminal. */
async function checkWatched(
  { world, answer }: Context,
  host: ServerHost,
  { flags, repair }: Pick<Options, 'flags' | 'repair'>
): Promise<StorageReport> {
  const { terminal } = world
  const signal = terminal.interrupted
  const isWatched = terminal.errors.isTerminal && answer.mode === 'table'
  const shown = isWatched ? await terminal.progress('verifying') : undefined
  try {
    return await host.checkStorage(flags, {
      repair,
      signal,
      onProgress: ({ lines, rows }) =>
        shown?.update(`verified ${formatCount(lines, 'line')}, ${formatCount(rows, 'row')}`)
    })
  } finally {
    shown?.stop()
  }
}

type Report = StorageReport & { storage: Storage; repair: boolean }

function reportLines(report: Report, page: Page): StyledLine[] {
  const { storage, lines, rows, findings } = report
  const card = cardLines(
    [
      ['storage', `${storage.engine}, ${storage.where}`],
      ['lines', lines.toLocaleString('en-US')],
      ['rows', rows.toLocaleString('en-US')]
    ],
    page
  )
  const total = report.found + report.set_aside + report.corrected
  const more: StyledLine[] =
    total > SHOWN_MAX ? [[`and ${formatCount(total - SHOWN_MAX, 'more finding')}; --json lists them`]] : []
  return [...card, ...findings.slice(0, SHOWN_MAX).flatMap((one) => findingLines(one, page)), ...more, verdict(report)]
}

/** Maximum number of findings shown on a terminal. */
const SHOWN_MAX = 50

const OUTCOMES = { found: 'damaged', set_aside: 'set aside', corrected: 'corrected' } as const

function findingLines(
  { table, collection_id, place, problem, outcome, hint }: StorageFinding,
  page: Page
): StyledLine[] {
  const where = collection_id === null || collection_id === place ? place : `${place} of collection ${collection_id}`
  const help = hint === null ? [] : hangingLines(`hint: ${hint}`, page, HINT_INDENT)
  return [...hangingLines(`${OUTCOMES[outcome]}: ${table}, ${where}: ${problem}`, page), ...help]
}

const HINT_INDENT = 4

function verdict({ found, set_aside, corrected }: StorageReport): StyledLine {
  const repaired = [
    set_aside > 0 ? `${set_aside.toLocaleString('en-US')} set aside` : '',
    corrected > 0 ? `${corrected.toLocaleString('en-US')} corrected` : ''
  ].filter((text) => text !== '')
  if (found > 0) return [{ text: [...repaired, `${formatCount(found, 'problem')} left`].join(', '), look: 'bad' }]
  return [{ text: repaired.length > 0 ? `${repaired.join(', ')}; the database is sound now` : 'sound', look: 'good' }]
}

function refuseDamage({ found, findings, repair, storage }: Report, flags: ServerFlags): void {
  if (found === 0) return
  const first = findings.find(({ outcome }) => outcome === 'found')
  const named = first === undefined ? '' : `, the first in ${first.table}, ${first.place}: ${first.problem}`
  const message = `the database ${storage.where} has ${formatCount(found, 'problem')}${named}`
  const folder = flags.data_dir === undefined ? '' : ` --data-dir ${shellWord(flags.data_dir)}`
  const next = `memctl server check --repair${folder}`
  if (!repair) throw new Fault('damaged_storage', message, { hint: next, next: [next] })
  throw new Fault('damaged_storage', message, { hint: first?.hint ?? 'restore the database from a backup' })
}

const ASIDE_VIEW: ListView<AsideRow> = {
  columns: [
    { name: 'set_aside_at', value: (row) => row.set_aside_at },
    { name: 'table', value: (row) => row.table },
    { name: 'collection_id', value: (row) => row.collection_id, leaves: 1 },
    { name: 'place', value: (row) => row.place, flexible: true },
    { name: 'reason', value: (row) => row.reason, flexible: true }
  ],
  fields: ['contents'],
  json: (row) => row,
  empty: 'no repair has set anything aside'
}
