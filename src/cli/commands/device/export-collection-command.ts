import { Fault } from '../../../contract/faults.ts'
import type { Form, ReceiveReport } from '../../../device/device.ts'
import type { ExistingExport } from '../../../device/existing-export.ts'
import type { Replacing } from '../../../device/receive-snapshot.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type CommandLine, formatOption, textOption } from '../../input/command-line.ts'
import { resolveInputPath } from '../../input/read-input-text.ts'
import { spoolOutput } from '../../input/spool-input.ts'
import { cardLines } from '../../output/card-lines.ts'
import { formatCount, shortBytes } from '../../output/short-forms.ts'
import type { Page, StyledLine } from '../../output/styled-line.ts'
import { COLLECTION_OPTION, chooseCollection } from '../../service/choose-collection.ts'
import { lockOptions } from '../../snapshots/open-snapshot.ts'
import { readExport } from '../../snapshots/read-export.ts'
import { showTransfer } from '../../snapshots/show-transfer.ts'

type Options = {
  collection: string | undefined
  output: string | undefined
  format: Form | undefined
  verify: boolean
  skipsDamaged: boolean
  sinceLast: boolean
  replacing: Replacing
}

export const exportCollectionCommand = defineCommand<Options>({
  name: 'export',
  summary: 'Export a collection from the server as a snapshot',
  options: [
    COLLECTION_OPTION,
    {
      flags: '-o, --output <file>',
      about: 'snapshot to write; named after the collection by default; - for stdout'
    },
    { flags: '--format <form>', about: 'format of the file: jsonl (one memory per line) or json (one object)' },
    { flags: '--verify', about: "read the file again and compare its counts and root hash with the server's" },
    { flags: '--merge', about: 'keep lines of the existing file that the export lacks' },
    { flags: '--force', about: 'drop lines of the existing file that the export lacks' },
    {
      flags: '--since-last',
      about: 'fetch only what changed since the last export with this flag into the same file'
    },
    { flags: '--skip-damaged', about: 'omit lines that are damaged on the server, and list them' }
  ],
  about:
    'Validates every line, the number of lines and the root hash before it replaces the file, completely or not at all. ' +
    'Memories deleted on the server are exported as forgotten. Searching the file needs no server.\n' +
    'With --since-last, the file records how far it has the collection, and the next export fetches only the changes. ' +
    'The whole file must still match the root hash of the server; if it does not, everything is fetched.\n' +
    'If lines are damaged on the server, lists them and exits 10; --skip-damaged exports the rest.',
  examples: [
    'memctl device export -o notes.mem.jsonl --verify',
    'memctl device export -o notes.mem.jsonl --since-last --verify',
    'memctl device export -c 0198c1 --skip-damaged',
    'memctl device export -c 0198c1 -o - | memctl device search "deadline" --snapshot -'
  ],
  leaves: 'The file is either unchanged or the complete export',
  parse: parseExport,
  run: async (context, options) => {
    const collection = await chooseCollection(context, options.collection)
    if (options.output === '-') {
      await spoolOutput(context.world, (path) => receive(context, { ...options, collection, path, replacing: 'force' }))
      return
    }
    const path = resolveInputPath(context.world, options.output ?? (await exportFileName(context, collection)))
    const asked = { ...options, collection, path }
    const report = options.sinceLast ? await receiveChanges(context, asked) : await receive(context, asked)
    await answerExport(context, { collection_id: collection, ...report, verified: options.verify }, options.sinceLast)
  }
})

/** `after`, `epoch` and `existing` are set with `--since-last`. */
type Asked = Options & {
  collection: string
  path: string
  after?: number
  epoch?: string | undefined
  existing?: ExistingExport
}

/** Fetches the changes since the last export into the file, or everything if that is not possible. */
async function receiveChanges(context: Context, asked: Asked): Promise<ReceiveReport> {
  const { openExistingExport } = await context.device()
  const existing = await openExistingExport(context.world, asked.path, {
    collectionId: asked.collection,
    signal: context.world.terminal.interrupted
  })
  if (existing === undefined) return await receive(context, { ...asked, after: 0 })
  try {
    return await receive(context, { ...asked, after: existing.after, epoch: existing.epoch, existing })
  } catch (error) {
    if (!(error instanceof Fault) || (error.code !== 'broken_transfer' && error.code !== 'gone')) throw error
    const why = error.code === 'gone' ? 'The server no longer has that state' : 'The changes do not fit the file'
    await context.diagnostics.note(`${why}; fetching the whole collection.`)
    return await receive(context, { ...asked, after: 0 })
  } finally {
    existing.close()
  }
}

/** Counts the bytes of chunks while they pass. */
async function* countBytes(chunks: AsyncIterable<Uint8Array>, count: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    count.bytes += chunk.length
    yield chunk
  }
}

async function receive(context: Context, asked: Asked): Promise<ReceiveReport> {
  const { world } = context
  const deviceModule = await context.device()
  const sent = { bytes: 0 }
  const chunks = countBytes(readExport(context, asked.collection, asked), sent)
  const progress = await showTransfer(context, 'received', asked.output === '-')
  try {
    const report = await deviceModule.receive(world, {
      chunks: asked.existing === undefined ? chunks : asked.existing.complete(chunks),
      output: asked.path,
      replacing: asked.replacing,
      format: asked.format,
      signal: world.terminal.interrupted,
      onProgress: progress.onProgress,
      ...lockOptions(context)
    })
    if (asked.verify) await compare(context, report)
    await warnOfLeftOut(context, report)
    return { ...report, received: { ...report.received, bytes: sent.bytes } }
  } finally {
    await progress.stop()
  }
}

/** Maximum number of lines that are listed individually. */
const NAMED_MAX = 10

async function warnOfLeftOut({ diagnostics }: Context, { left_out }: ReceiveReport): Promise<void> {
  if (left_out === undefined || left_out.count + left_out.missing === 0) return
  const { count, missing, lines } = left_out
  const lost = missing === 0 ? '' : ` and ${formatCount(missing, 'memory', 'memories')} without a line`
  await diagnostics.warn(`omitted ${formatCount(count, 'line')} damaged on the server${lost}`)
  for (const { seq, id, reason } of lines.slice(0, NAMED_MAX))
    await diagnostics.note(`${id || 'a line'} (sequence number ${seq}) ${reason}`)
  if (count > NAMED_MAX)
    await diagnostics.note(`and ${count - NAMED_MAX} more; memctl server check --json lists all of them`)
}

/** Reads the file again. If it kept lines of its own, compares it with what was written instead of the server's root hash. */
async function compare(context: Context, report: ReceiveReport): Promise<void> {
  const deviceModule = await context.device()
  const device = deviceModule.open(context.world, report.path, lockOptions(context))
  const found = await device.verify({ signal: context.world.terminal.interrupted })
  const expected = report.kept > 0 ? report.root_hash : report.received.root_hash
  const same =
    found.root_hash === expected && found.memories === report.memories && found.forgotten === report.forgotten
  if (found.sound && same) return
  throw new Fault(
    'check_failed',
    `${report.path} differs from what the server sent: expected root hash ${expected}, found ${found.root_hash}`,
    {
      hint: 'another program wrote to the file or the disk failed; run memctl device verify, then export again'
    }
  )
}

type Report = ReceiveReport & { collection_id: string; verified: boolean }

async function answerExport({ answer }: Context, report: Report, sinceLast: boolean): Promise<void> {
  if (answer.mode === 'jsonl') return await answer.jsonLine({ event: 'done', ...report })
  await answer.object(report, { lines: (page) => exportLines({ ...report, sinceLast }, page) })
}

function exportLines(report: Report & { sinceLast: boolean }, page: Page): StyledLine[] {
  const forgotten = report.forgotten === 0 ? '' : `, ${report.forgotten.toLocaleString('en-US')} forgotten`
  return cardLines(
    [
      ['snapshot', report.path],
      ['collection', report.collection_id],
      ['memories', `${report.memories.toLocaleString('en-US')}${forgotten}`],
      ['kept', report.kept === 0 ? null : `${formatCount(report.kept, 'line')} that only the file had`],
      ['omitted', formatLeftOut(report)],
      ['size', shortBytes(report.bytes)],
      ['received', report.sinceLast ? shortBytes(report.received.bytes) : null],
      ['root hash', report.root_hash],
      ['verified', report.verified ? 'the file matches what the server sent' : null]
    ],
    page
  )
}

function formatLeftOut({ left_out }: Report): string | null {
  return left_out === undefined ? null : formatCount(left_out.count, 'damaged line')
}

function parseExport({ options }: CommandLine): Options {
  if (options.merge === true && options.force === true)
    throw new Fault('usage', '--merge and --force cannot be used together', { hint: 'give one of them' })
  if (options.sinceLast === true && options.output === '-')
    throw new Fault('usage', '--since-last needs a file, not stdout', { hint: 'give -o FILE' })
  return {
    collection: textOption(options, 'collection'),
    output: textOption(options, 'output'),
    format: formatOption(options),
    verify: options.verify === true,
    skipsDamaged: options.skipDamaged === true,
    sinceLast: options.sinceLast === true,
    replacing: options.merge === true ? 'merge' : options.force === true ? 'force' : 'refuse'
  }
}

/** Maximum length of a file name in characters, so that every file system accepts it with `.mem.jsonl`. */
const NAME_LETTERS_MAX = 60

/** Returns the default file name of an export, from the name of the collection. */
async function exportFileName(context: Context, collectionId: string): Promise<string> {
  const client = await context.client()
  const { name } = await client.getCollection({ params: { collection_id: collectionId } })
  return `${fileStem(name) || collectionId}.mem.jsonl`
}

/** Removes characters that a file system or a shell may not accept. */
function fileStem(name: string): string {
  const plain = name.normalize('NFC').replace(/[^\p{L}\p{N}._-]+/gu, '-')
  return [...plain.replace(/^[-.]+/, '')]
    .slice(0, NAME_LETTERS_MAX)
    .join('')
    .replace(/[-.]+$/, '')
}
