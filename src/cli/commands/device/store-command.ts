import { Fault } from '../../../contract/faults.ts'
import type { MemoryRecord, Metadata } from '../../../contract/snapshot.ts'
import type { BatchProgress, BatchReport, BatchSource, Device, StoreInput } from '../../../device/device.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type CommandLine, integerOption, textOption, textsOption } from '../../input/command-line.ts'
import { parseMetadata } from '../../input/parse-metadata.ts'
import { parseTime } from '../../input/parse-time.ts'
import { readInputText, resolveInputPath } from '../../input/read-input-text.ts'
import { TEXT_OPTION, type TextWords, textOfWords, textWords } from '../../input/text-words.ts'
import { cardLines } from '../../output/card-lines.ts'
import { formatCount } from '../../output/short-forms.ts'
import { openSnapshotForPreview, openSnapshotForStoring, snapshotFlag } from '../../snapshots/open-snapshot.ts'
import {
  mergeIntoFile,
  type SentSnapshot,
  type SentSnapshotRecord,
  withSnapshotObject
} from '../../snapshots/sent-snapshot.ts'
import { answerPreview, answerStored } from '../../views/answer-stored.ts'
import { RECORD_LIST } from '../../views/record-list.ts'

/** The options of `store`: one text with its details, or a batch file. */
type StoreOptions = { dryRun: boolean; remote: boolean } & (SingleStore | { batch: string })

type SingleStore = {
  batch?: undefined
  text: TextWords
  file: string | undefined
  metadata: string[]
  at: string | undefined
  speaker: string | undefined
  conversation: string | undefined
  position: number | undefined
}

export const storeCommand = defineCommand<StoreOptions>({
  name: 'store',
  summary: 'Store one or more memories',
  words: [{ name: '[text...]', about: 'text to store, in quotes' }],
  options: [
    TEXT_OPTION,
    { flags: '-f, --file <file>', about: 'file with the text; - for stdin' },
    { flags: '--metadata <k=v>', about: 'metadata as k=text, k:=JSON or a JSON object; repeatable', repeat: true },
    {
      flags: '--at <time>',
      about: 'time of the text: ISO 8601, in UTC without a zone, or 2h for two hours ago; now by default'
    },
    { flags: '--speaker <name>', about: 'speaker or author of the text' },
    { flags: '--conversation <id>', about: 'conversation that the text belongs to' },
    { flags: '--position <n>', about: 'order among texts of the conversation with the same time' },
    {
      flags: '--batch <file>',
      about:
        'JSON Lines file of {"raw_text", "metadata"?, "at"?, "speaker"?, "conversation"?, "position"?, ' +
        '"given"?, "supersedes"?}; - for stdin'
    },
    { flags: '--dry-run', about: 'show the records without storing them' },
    {
      flags: '--remote',
      about:
        'send the snapshot and the text to the server for extraction; the server stores neither, and the flags become metadata'
    }
  ],
  about:
    'The memory is on disk when the command succeeds. After an interruption, store the batch again: existing memories are ' +
    'not stored twice.\n' +
    'Put -- before a text that starts with a dash. The path of an existing file or folder is refused: use memctl device ' +
    'ingest to store what is in it, -f to store a file as one memory, or --text to store the path itself.',
  examples: [
    'memctl device store "Anna moved to Lisbon in May" --speaker Ben',
    'memctl device store -f notes.txt',
    'git log -1 --format=%B | memctl device store -f - --metadata source=git',
    'memctl device store --batch chat.jsonl'
  ],
  leaves: 'Each memory is stored completely or not at all; run the command again to continue',
  parse: parseStore,
  run: (context, options) => {
    if (options.batch !== undefined) return storeBatch(context, options.batch, options.dryRun)
    return options.remote ? storeRemote(context, options) : storeOne(context, options)
  }
})

/** Flags for one text, which are members of the lines in a batch. */
const SINGLE_FLAGS = ['text', 'file', 'metadata', 'at', 'speaker', 'conversation', 'position']

function parseStore(given: CommandLine): StoreOptions {
  const { words, options } = given
  const dryRun = options.dryRun === true
  const remote = options.remote === true
  const batch = textOption(options, 'batch')
  if (remote && (dryRun || batch !== undefined))
    throw new Fault('usage', '--remote cannot be used with --batch or --dry-run', {
      hint: 'omit --remote to store on this machine'
    })
  if (batch !== undefined) {
    const flag = SINGLE_FLAGS.find((name) => options[name] !== undefined)
    if (flag !== undefined)
      throw new Fault('usage', `--batch and --${flag} cannot be used together`, {
        hint: `set "${flag}" in the lines of the batch`
      })
    if (words.length > 0)
      throw new Fault('usage', 'a text and --batch cannot be used together', { hint: 'give one of them' })
    return { batch, dryRun, remote }
  }
  const file = textOption(options, 'file')
  if (words.length === 0 && file === undefined) {
    throw new Fault('usage', 'missing text', {
      hint: 'memctl device store "a text", or -f FILE, or -f - for stdin'
    })
  }
  if (words.length > 0 && file !== undefined)
    throw new Fault('usage', 'a text and --file cannot be used together', { hint: 'give one of them' })
  return { text: textWords(given), file, dryRun, remote, ...parseDetails(options) }
}

function parseDetails(options: CommandLine['options']): Omit<SingleStore, 'text' | 'file' | 'batch'> {
  return {
    metadata: textsOption(options, 'metadata'),
    at: textOption(options, 'at'),
    speaker: textOption(options, 'speaker'),
    conversation: textOption(options, 'conversation'),
    position: integerOption(options, 'position', { least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER })
  }
}

/** Stores the lines of a file or of stdin, or shows their records. */
async function storeBatch(context: Context, name: string, dryRun: boolean): Promise<void> {
  const { world } = context
  const source = name === '-' ? { stream: world.terminal.input.read() } : { file: resolveInputPath(world, name) }
  if (dryRun) return await openSnapshotForPreview(context, (device) => previewBatch(context, device, source))
  await openSnapshotForStoring(context, {
    test: (device) => testBatch(context, device, source),
    work: (device) => keepBatch(context, device, source)
  })
}

/** Validates a batch before storing. A stream cannot be read twice, so it is validated while storing. */
async function testBatch({ world }: Context, device: Device, source: BatchSource): Promise<void> {
  if ('file' in source) await device.storeBatch(source, { dryRun: true, signal: world.terminal.interrupted })
}

/** Shows the records of a batch: JSON Lines one by one, a table or array at the end. */
async function previewBatch({ answer, world }: Context, device: Device, source: BatchSource): Promise<void> {
  const records: MemoryRecord[] = []
  let written = Promise.resolve()
  const onRecord = (record: MemoryRecord): void => {
    if (answer.mode === 'jsonl') written = written.then(() => answer.jsonLine(record))
    else records.push(record)
  }
  await device.storeBatch(source, { dryRun: true, onRecord, signal: world.terminal.interrupted })
  await written
  if (answer.mode !== 'jsonl') await answer.list(records, RECORD_LIST)
}

async function keepBatch(context: Context, device: Device, source: BatchSource): Promise<void> {
  const { world, answer, diagnostics } = context
  const progress = await showProgress(context)
  try {
    const report = await device.storeBatch(source, {
      onProgress: progress.onProgress,
      signal: world.terminal.interrupted
    })
    await progress.stop()
    await answerReport(answer, report)
    for (const note of report.notes) await diagnostics.note(note)
  } finally {
    await progress.stop()
  }
}

type Shown = { onProgress(progress: BatchProgress): void; stop(): Promise<void> }

/** Time between two progress events, in milliseconds. */
const EVENT_MS = 1000

/** Shows progress: as events in JSON Lines, as an updated line on a terminal, and otherwise not at all. */
async function showProgress({ answer, world }: Context): Promise<Shown> {
  if (answer.mode === 'jsonl') return eventProgress(answer, world.clock)
  if (answer.mode === 'json' || !world.terminal.errors.isTerminal)
    return { onProgress: () => undefined, stop: async () => undefined }
  const line = await world.terminal.progress('Reading')
  return { onProgress: (progress) => line.update(progressText(progress)), stop: async () => line.stop() }
}

function eventProgress(answer: Context['answer'], clock: Context['world']['clock']): Shown {
  let last = clock.ticks()
  let written = Promise.resolve()
  return {
    onProgress: ({ lines, stored, bytesRead, bytesTotal }) => {
      if (clock.ticks() - last < EVENT_MS) return
      last = clock.ticks()
      const event = { event: 'progress', lines, stored, bytes_read: bytesRead, bytes_total: bytesTotal ?? null }
      written = written.then(() => answer.jsonLine(event))
    },
    stop: () => written
  }
}

function progressText({ lines, stored, bytesRead, bytesTotal }: BatchProgress): string {
  const share = bytesTotal === undefined || bytesTotal === 0 ? '' : `, ${Math.floor((100 * bytesRead) / bytesTotal)} %`
  return `${formatCount(stored, 'memory', 'memories')} stored of ${formatCount(lines, 'line')} read${share}`
}

async function answerReport(answer: Context['answer'], report: BatchReport): Promise<void> {
  if (answer.mode === 'jsonl') return await answer.jsonLine({ event: 'done', ...report })
  await answer.object(report, {
    lines: (page) =>
      cardLines(
        [
          [
            'stored',
            `${formatCount(report.stored, 'memory', 'memories')} of ${formatCount(report.lines, 'line')} in ${report.seconds.toFixed(1)} s`
          ],
          ['known', nonZero(report.known, 'already stored')],
          ['differed', nonZero(report.differed, 'already stored with other details, unchanged')],
          ['forgotten', nonZero(report.forgotten, 'forgotten earlier, not stored again')]
        ],
        page
      )
  })
}

function nonZero(count: number, what: string): string | undefined {
  return count === 0 ? undefined : `${count.toLocaleString('en-US')} ${what}`
}

/** Maximum size of a text in bytes: a larger one would exceed the line limit of the format. */
const TEXT_BYTES_MAX = 16 << 20

/** Stores one text, or shows its record. */
async function storeOne(context: Context, options: SingleStore & { dryRun: boolean }): Promise<void> {
  const input = await understand(context, options)
  if (options.dryRun)
    return await openSnapshotForPreview(context, async (device) =>
      answerPreview(context.answer, await device.preview(input))
    )
  await openSnapshotForStoring(context, {
    test: async (device) => void (await device.preview(input)),
    work: (device) => keep(context, device, input)
  })
}

/** Reads the text and its details from the flags. */
async function understand(context: Context, options: SingleStore): Promise<StoreInput> {
  const { world } = context
  const flag = snapshotFlag(context)
  const commands = { file: `memctl device store${flag} -f`, ingest: `memctl device ingest${flag}` }
  const words = textOfWords(world, options.text, commands)
  const text = options.file === undefined ? words : await readInputText(world, options.file, TEXT_BYTES_MAX)
  // An empty text is never intended: a variable is unset, or the program before the pipe has failed.
  if (text === undefined || text === '')
    throw new Fault('usage', 'the text is empty', { hint: 'memctl device store "a text", or -f FILE' })
  const { parseJson } = await context.device()
  return {
    text,
    metadata: parseMetadata(options.metadata, parseJson),
    at: options.at === undefined ? undefined : parseTime(options.at, '--at', world.clock.now()),
    speaker: options.speaker,
    conversation: options.conversation,
    position: options.position
  }
}

async function keep({ world, answer, diagnostics }: Context, device: Device, input: StoreInput): Promise<void> {
  const stored = await device.store(input, { signal: world.terminal.interrupted })
  await answerStored(answer, stored)
  for (const note of stored.notes) await diagnostics.note(note)
}

/**
 * Sends the snapshot and a text to the server, and merges the returned snapshot into the file. Lines that other processes
 * stored in the meantime stay.
 */
async function storeRemote(context: Context, options: SingleStore): Promise<void> {
  const input = await understand(context, options)
  const client = await context.client()
  await openSnapshotForStoring(context, {
    test: async (device) => void (await device.preview(input)),
    work: (device) =>
      withSnapshotObject(context, device.path, async (snapshot) => {
        const metadata = buildMetadata(input)
        const body = { snapshot, raw_text: input.text, ...(metadata === undefined ? {} : { metadata }) }
        const reply = await client.storeMemory({ body }, { signal: context.world.terminal.interrupted })
        if (!('snapshot' in reply)) throw unexpectedReplyFault('the server returned no snapshot')
        await keepAnswer(context, device, { sent: snapshot, came: reply.snapshot as SentSnapshot, text: input.text })
      })
  })
}

/** Moves the details into the metadata, as the wire format requires. */
function buildMetadata({ metadata, at, speaker, conversation, position }: StoreInput): Metadata | undefined {
  const said = Object.entries({ at, speaker, conversation, position }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const]
  )
  return metadata === undefined && said.length === 0 ? undefined : { ...metadata, ...Object.fromEntries(said) }
}

type Exchange = { sent: SentSnapshot; came: SentSnapshot; text: string }

async function keepAnswer(context: Context, device: Device, exchange: Exchange): Promise<void> {
  const { record, isNew } = findStored(exchange)
  if (isNew) await mergeIntoFile(context, device.path, exchange.came)
  const { at, id } = record
  await answerStored(context.answer, { id, at, record, notes: [] })
  if (!isNew) await context.diagnostics.note('The memory was already stored.')
}

/** Finds the stored memory. Rejects a reply with any other new record, such as a forget line, so that it cannot reach the file. */
function findStored({ sent, came, text }: Exchange): { record: MemoryRecord; isNew: boolean } {
  const before = new Set(sent.records.map(recordKey))
  const added = came.records.filter((record) => !before.has(recordKey(record)))
  const found = added[0] ?? came.records.findLast((record) => record.type === 'memory' && record.text === text)
  if (found === undefined || added.length > 1 || found.type !== 'memory' || found.text !== text)
    throw unexpectedReplyFault('the returned snapshot is not the sent one with this memory added')
  return { record: found as MemoryRecord, isNew: added.length === 1 }
}

/** Returns the kind and id of a record, to find it in a snapshot with other line order. */
function recordKey({ type, id, check }: SentSnapshotRecord): string {
  return `${type} ${String(id ?? check)}`
}

function unexpectedReplyFault(why: string): Fault {
  return new Fault('broken_transfer', `${why}; the file is unchanged`, {
    hint: 'check that the address is that of a memctl server with the same version'
  })
}
