import { Fault } from '../../../contract/faults.ts'
import type { MemoryRecord } from '../../../contract/snapshot.ts'
import type { Device } from '../../../device/device.ts'
import type { ConversionReport, IngestOptions, IngestProgress, IngestReport } from '../../../ingest/ingest.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { textOption } from '../../input/command-line.ts'
import { parseTime } from '../../input/parse-time.ts'
import { makeSystemFault } from '../../input/read-file-bytes.ts'
import { resolveInputPath } from '../../input/read-input-text.ts'
import { cardLines, quoteLines } from '../../output/card-lines.ts'
import { durationWords } from '../../output/duration-words.ts'
import { formatCount, shortBytes, shortTime } from '../../output/short-forms.ts'
import type { Page, StyledLine } from '../../output/styled-line.ts'
import { cutText } from '../../output/wrap-text.ts'
import type { IngestInput, IngestModule } from '../../ports/lazy-modules.ts'
import { openSnapshotForPreview, openSnapshotForStoring } from '../../snapshots/open-snapshot.ts'
import { recordJson } from '../../views/record-list.ts'

type Options = {
  path: string
  from: string | undefined
  output: string | undefined
  me: string | undefined
  zone: string | undefined
  since: string | undefined
  only: string | undefined
  map: string | undefined
  report: string | undefined
  failOnLoss: boolean
  dryRun: boolean
  prune: boolean
  watch: boolean
}

export const ingestCommand = defineCommand<Options>({
  name: 'ingest',
  summary: 'Store notes, chat exports, mail and documents as memories',
  words: [{ name: '<path>', about: 'folder, file, or ZIP, tar or gzip archive; - for stdin' }],
  options: [
    { flags: '--from <format>', about: 'format of the input; detected from its content by default' },
    { flags: '-o, --output <file>', about: 'write a batch for device store --batch instead of storing; - for stdout' },
    { flags: '--me <name>', about: 'your name, for inputs that do not contain it' },
    { flags: '--tz <zone>', about: 'time zone of times without one, such as Europe/Berlin; UTC by default' },
    {
      flags: '--since <time>',
      about: 'leave out messages and notes before this time: ISO 8601, or 2h for two hours ago'
    },
    { flags: '--only <glob>', about: "read only the files whose paths match, such as 'work/**' or '*.md'" },
    {
      flags: '--map <fields>',
      about: "members of any JSON or JSON Lines that are texts, such as 'text=body,speaker=author.name'"
    },
    { flags: '--report <file>', about: 'write the full report as JSON, with examples of what was left out' },
    { flags: '--fail-on-loss', about: 'exit 9 if anything was left out' },
    { flags: '--prune', about: 'forget memories whose text is gone; asks for --yes if a large part is' },
    { flags: '--watch', about: 'keep running, and ingest every change until Ctrl-C' },
    { flags: '--dry-run', about: 'show the report and a sample without storing anything' }
  ],
  about:
    'A newer export of the same source can be ingested again: it stores only what is new, and an edited ' +
    'note replaces its earlier version, which --as-of still finds. The report counts every item as taken, ' +
    'merged with an equal one, or left out with a reason.',
  examples: [
    'memctl device ingest ~/notes',
    'memctl device ingest export.zip --dry-run',
    'memctl device ingest ~/notes --only "journal/**" --tz Europe/Berlin',
    'memctl device ingest ~/notes --watch --prune',
    'memctl device ingest export.zip -o batch.jsonl --report report.json'
  ],
  leaves: 'Each memory is stored completely or not at all; run the command again to continue',
  parse: ({ words, options }) => {
    const dryRun = options.dryRun === true
    const output = textOption(options, 'output')
    const path = words[0] ?? ''
    assertTogether(path, options)
    return {
      path,
      from: textOption(options, 'from'),
      output,
      me: textOption(options, 'me'),
      zone: textOption(options, 'tz'),
      since: textOption(options, 'since'),
      only: textOption(options, 'only'),
      map: textOption(options, 'map'),
      report: textOption(options, 'report'),
      failOnLoss: options.failOnLoss === true,
      dryRun,
      prune: options.prune === true,
      watch: options.watch === true
    }
  },
  run: async (context, options) => {
    const module = await context.modules.ingest()
    const run = { context, module, options }
    if (options.output !== undefined) return await writeBatch(run, options.output)
    if (options.dryRun) return await openSnapshotForPreview(context, (device) => preview(run, device))
    await openSnapshotForStoring(context, {
      test: () => testInput(run),
      work: (device) => (options.watch ? keepWatching : keep)(run, device)
    })
  }
})

/** `memctl ingest`, the short form. */
export const shortIngestCommand = {
  ...ingestCommand,
  examples: ingestCommand.examples.map((example) => example.replace('memctl device ', 'memctl '))
}

/** Options that need a single import, which --watch is not. */
const SINGLE = ['output', 'dryRun', 'failOnLoss'] as const

function assertTogether(path: string, options: Readonly<Record<string, unknown>>): void {
  if (options.dryRun === true && options.output !== undefined)
    throw new Fault('usage', '--dry-run and --output cannot be used together', { hint: 'omit one of them' })
  if (options.watch !== true) return
  if (path === '-') throw new Fault('usage', '--watch cannot read stdin', { hint: 'name a file or folder' })
  for (const name of SINGLE)
    if (options[name] !== undefined && options[name] !== false)
      throw new Fault('usage', `--watch and ${FLAGS[name]} cannot be used together`, { hint: 'omit one of them' })
}

const FLAGS = { output: '--output', dryRun: '--dry-run', failOnLoss: '--fail-on-loss' } as const

type Run = { context: Context; module: IngestModule; options: Options }

function toInput({ context: { world }, options: { path } }: Run): IngestInput {
  return path === '-' ? { stream: world.terminal.input.read() } : { path: resolveInputPath(world, path) }
}

function toIngestOptions({ context: { world, flags }, options }: Run): IngestOptions {
  const { from, me, zone, only, map, since, prune } = options
  return {
    prune,
    pruneMany: flags.yes,
    from,
    me,
    zone,
    only,
    map,
    since: since === undefined ? undefined : parseTime(since, '--since', world.clock.now()),
    signal: world.terminal.interrupted
  }
}

/** Checks an input before the default snapshot is created. Stdin can be read only once, while storing. */
async function testInput(run: Run): Promise<void> {
  if (run.options.path !== '-') await run.module.check(run.context.world, toInput(run), toIngestOptions(run))
}

async function keep(run: Run, device: Device): Promise<void> {
  const { context, module } = run
  const progress = await showProgress(context)
  try {
    const { onProgress } = progress
    const report = await module.ingest({ world: context.world, device }, toInput(run), {
      ...toIngestOptions(run),
      onProgress
    })
    await progress.stop()
    await answerReport(run, report)
  } finally {
    await progress.stop()
  }
}

/** Imports the input again whenever it changes. */
async function keepWatching(run: Run, device: Device): Promise<void> {
  const { context, module, options } = run
  const { answer, diagnostics, world } = context
  if (answer.mode === 'json')
    throw new Fault('usage', '--json cannot be used with --watch', {
      hint: 'use --jsonl, which prints an event for each change'
    })
  const path = resolveInputPath(world, options.path)
  const progress = await showProgress(context)
  let isFirst = true
  const reports = module.watch({ world, device }, path, {
    ...toIngestOptions(run),
    signal: world.terminal.interrupted,
    onProgress: (now) => isFirst && progress.onProgress(now),
    onFault: async ({ message }) => {
      await diagnostics.warn(`${message}; trying again`)
      await diagnostics.flush()
    }
  })
  try {
    for await (const report of reports) {
      await progress.stop()
      if (!isFirst && answer.mode === 'table') await answer.story(() => [[]])
      await answerReport(run, report)
      if (isFirst) await diagnostics.note('watching for changes; stop with Ctrl-C')
      await diagnostics.flush()
      isFirst = false
      if (!answer.isWanted()) return
    }
  } finally {
    await progress.stop()
  }
}

/** New memories that a dry run shows. */
const SAMPLE_MAX = 5

async function preview(run: Run, device: Device): Promise<void> {
  const { context, module } = run
  const sample: MemoryRecord[] = []
  const onRecord = (record: MemoryRecord): void => {
    if (sample.length < SAMPLE_MAX) sample.push(record)
  }
  const options = { ...toIngestOptions(run), dryRun: true, onRecord }
  const report = await module.ingest({ world: context.world, device }, toInput(run), options)
  await answerReport(run, report, sample)
}

/** Writes the lines to a new file, or to stdout. */
async function writeBatch(run: Run, name: string): Promise<void> {
  const { world, answer } = run.context
  const options = toIngestOptions(run)
  if (name === '-') {
    const report = await run.module.convert(world, toInput(run), { ...options, write: (chunk) => answer.raw(chunk) })
    return await finish(run, report)
  }
  const path = resolveInputPath(world, name)
  if (world.files.findEntry(path) !== undefined)
    throw new Fault('exists', `${name} already exists`, { hint: 'choose another file, or remove it first' })
  const fd = makeSystemFault(path, () => world.files.open(path, 'create', 0o600))
  try {
    const write = (chunk: string): void => makeSystemFault(path, () => writeAll(run, fd, chunk))
    const report = await run.module.convert(world, toInput(run), { ...options, write })
    await answerReport(run, report)
  } finally {
    world.files.close(fd)
  }
}

function writeAll({ context: { world } }: Run, fd: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let done = 0; done < bytes.length; ) done += world.files.write(fd, bytes.subarray(done))
}

/** Shows the result of an import: what was stored on stdout, and what was left out on stderr. */
async function answerReport(
  run: Run,
  report: ConversionReport | IngestReport,
  sample?: readonly MemoryRecord[]
): Promise<void> {
  const { answer, diagnostics } = run.context
  const value = { ...report, ...(sample && { sample: sample.map(recordJson) }) }
  if (answer.mode === 'jsonl') await answer.jsonLine({ event: 'done', ...value })
  else await answer.object(value, { lines: (page) => reportLines(run, { report, sample: sample ?? [] }, page) })
  if ('notes' in report) for (const note of report.notes) await diagnostics.note(note)
  await finish(run, report)
}

/** Writes the report file and the line about losses, and fails if losses are not accepted. */
async function finish({ context, module, options }: Run, report: ConversionReport): Promise<void> {
  const { world, diagnostics } = context
  if (options.report !== undefined) {
    const path = resolveInputPath(world, options.report)
    const fd = makeSystemFault(path, () => world.files.open(path, 'overwrite', 0o600))
    try {
      const text = `${JSON.stringify(report, undefined, 2)}\n`
      makeSystemFault(path, () => writeAll({ context, module, options }, fd, text))
    } finally {
      world.files.close(fd)
    }
  }
  await diagnostics.note(module.describe(report))
  if (options.failOnLoss && report.left_out > 0)
    throw new Fault('warnings', `${formatCount(report.left_out, 'item')} left out`, {
      hint: 'write the list with --report report.json'
    })
}

type Shown = { report: ConversionReport | IngestReport; sample: readonly MemoryRecord[] }

function reportLines({ module, options }: Run, { report, sample }: Shown, page: Page): StyledLine[] {
  const kinds = Object.entries(report.kinds).map(([kind, counts]) =>
    module.describeKind(kind as keyof typeof report.kinds, counts)
  )
  const seconds = `in ${report.seconds.toFixed(1)} s`
  const stored =
    'stored' in report
      ? `${formatCount(report.stored, 'memory', 'memories')} of ${formatCount(report.lines, 'line')} ${seconds}`
      : undefined
  const written = 'stored' in report ? undefined : `${formatCount(report.lines, 'line')} ${seconds}`
  return [
    ...cardLines(
      [
        ['format', report.format],
        ['taken', kinds.join(', ')],
        [options.dryRun ? 'would store' : 'stored', stored],
        ['written', written],
        ['known', 'known' in report ? nonZero(report.known, 'already stored') : undefined],
        [
          'differed',
          'differed' in report
            ? nonZero(report.differed, 'already stored with other metadata or position, unchanged')
            : undefined
        ],
        [
          'forgotten',
          'forgotten' in report ? nonZero(report.forgotten, 'forgotten earlier, not stored again') : undefined
        ],
        ...('gone' in report ? changeCells(report) : [])
      ],
      page
    ),
    ...sample.flatMap((record) => sampleLines(record, page))
  ]
}

/** Describes what has changed in a source that was imported before. */
function changeCells({ superseded, renamed, pruned }: IngestReport): [string, string | undefined][] {
  return [
    ['edited', nonZero(superseded, 'replaced by a newer text')],
    ['renamed', renamed === 0 ? undefined : formatCount(renamed, 'file')],
    ['pruned', nonZero(pruned, 'forgotten, because the source no longer has them')]
  ]
}

/** Lines of a text that a sample shows. */
const SAMPLE_LINES = 3

function sampleLines({ text, at, speaker, conversation, undated }: MemoryRecord, page: Page): StyledLine[] {
  const details = [undated ? 'no date' : shortTime(at), speaker, conversation].filter((part) => part !== undefined)
  return [
    [],
    [{ text: cutText(details.join('  '), page.columns, page.width), look: 'dim' }],
    ...quoteLines(text, page).slice(0, SAMPLE_LINES)
  ]
}

function nonZero(count: number, what: string): string | undefined {
  return count === 0 ? undefined : `${count.toLocaleString('en-US')} ${what}`
}

type Progress = { onProgress(progress: IngestProgress): void; stop(): Promise<void> }

/** Time between two progress events, in milliseconds. */
const EVENT_MS = 1000

/** Shows progress: as events in JSON Lines, as an updated line on a terminal, and otherwise not at all. */
async function showProgress({ answer, world }: Context): Promise<Progress> {
  if (answer.mode === 'jsonl') {
    let last = world.clock.ticks()
    let written = Promise.resolve()
    return {
      onProgress: (progress) => {
        if (world.clock.ticks() - last < EVENT_MS) return
        last = world.clock.ticks()
        written = written.then(() => answer.jsonLine({ event: 'progress', ...progress }))
      },
      stop: () => written
    }
  }
  if (answer.mode === 'json' || !world.terminal.errors.isTerminal)
    return { onProgress: () => undefined, stop: async () => undefined }
  const line = await world.terminal.progress('Reading')
  return { onProgress: (progress) => line.update(progressText(progress)), stop: async () => line.stop() }
}

/** Describes progress with its rate and, once a tenth of a second or more has passed, the remaining time. */
function progressText({ stored, bytes_read, bytes_total, seconds }: IngestProgress): string {
  const parts = [
    `${shortBytes(bytes_read)} of ${shortBytes(bytes_total)} read`,
    `${formatCount(stored, 'memory', 'memories')} stored`
  ]
  if (seconds >= 0.1 && bytes_read > 0) {
    const left = ((bytes_total - bytes_read) / bytes_read) * seconds
    parts.push(`${Math.round(stored / seconds).toLocaleString('en-US')} a second`)
    parts.push(`${durationWords(Math.max(1, Math.round(left)) * 1000)} left`)
  }
  return parts.join(', ')
}
