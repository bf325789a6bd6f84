import { Fault } from '../../../contract/faults.ts'
import type { Form, MergeOptions, MergeReport } from '../../../device/device.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type CommandLine, formatOption, textOption } from '../../input/command-line.ts'
import { resolveInputPath } from '../../input/read-input-text.ts'
import { spoolInput, spoolOutput } from '../../input/spool-input.ts'
import { cardLines } from '../../output/card-lines.ts'
import { formatCount, shortBytes } from '../../output/short-forms.ts'
import type { Page, StyledLine } from '../../output/styled-line.ts'
import { lockOptions } from '../../snapshots/open-snapshot.ts'

type Options = {
  inputs: readonly string[]
  output: string
  base: string | undefined
  format: Form | undefined
  force: boolean
  skipDamaged: boolean
  /** For git, which expects the result in its second file and no output. */
  driver: boolean
}

export const mergeCommand = defineCommand<Options>({
  name: 'merge',
  summary: 'Merge snapshots, or act as a Git merge driver',
  words: [{ name: '<files...>', about: 'snapshots to merge; - for stdin; %O %A %B for git' }],
  options: [
    { flags: '-o, --output <file>', about: 'file for the result; - for stdout' },
    { flags: '--base <file>', about: 'common ancestor, for a three-way merge' },
    { flags: '--force', about: 'overwrite the output' },
    { flags: '--skip-damaged', about: 'move damaged lines to NAME.aside and continue' },
    { flags: '--format <form>', about: 'format of the file: jsonl (one memory per line) or json (one object)' },
    { flags: '--git-driver', about: 'run as a git merge driver: %O is the ancestor, %A receives the result' }
  ],
  about: [
    'Writes the union of the lines. The order of the files does not matter, and merging again changes nothing. What one ' +
      'snapshot has forgotten stays forgotten.',
    'To use it in git, run git config merge.memctl.driver "memctl device merge --git-driver %O %A %B" and add ' +
      '*.mem.jsonl -text merge=memctl to .gitattributes.'
  ].join('\n'),
  examples: ['memctl device merge laptop.mem.jsonl phone.mem.jsonl -o both.mem.jsonl'],
  leaves: 'The output is either unchanged or the complete result',
  parse: parseMerge,
  run: async (context, options) => {
    if (options.driver) return await mergeForGit(context, options)
    await withInputs(context, options, async (inputs) => {
      if (options.output !== '-') return await answerMerge(context, await mergeFiles(context, options, inputs), options)
      await spoolOutput(context.world, (output) => mergeFiles(context, { ...options, output }, inputs))
    })
  }
})

async function withInputs(
  context: Context,
  { inputs }: Options,
  work: (inputs: readonly string[]) => Promise<void>
): Promise<void> {
  const paths = inputs.map((name) => (name === '-' ? '-' : resolveInputPath(context.world, name)))
  if (!paths.includes('-')) return await work(paths)
  await spoolInput(context.world, (spooled) => work(paths.map((path) => (path === '-' ? spooled : path))))
}

async function mergeFiles(context: Context, options: Options, inputs: readonly string[]): Promise<MergeReport> {
  const { world } = context
  const asked: MergeOptions = {
    inputs: [...inputs],
    base: options.base === undefined ? undefined : resolveInputPath(world, options.base),
    output: resolveInputPath(world, options.output),
    format: options.format,
    force: options.force,
    skipDamaged: options.skipDamaged
  }
  const deviceModule = await context.device()
  return await deviceModule.merge(world, { ...asked, ...lockOptions(context), signal: world.terminal.interrupted })
}

/** Merges for git, which passes an empty file if the two sides have no common ancestor. */
async function mergeForGit(context: Context, options: Options): Promise<void> {
  const [base = '', ours = '', theirs = ''] = options.inputs
  const ancestor = context.world.files.find(resolveInputPath(context.world, base))
  const known = ancestor !== undefined && ancestor.size > 0
  const inputs = [ours, theirs].map((name) => resolveInputPath(context.world, name))
  const report = await mergeFiles(
    context,
    { ...options, base: known ? base : undefined, output: ours, force: true },
    inputs
  )
  for (const note of report.notes) await context.diagnostics.note(note)
}

async function answerMerge(context: Context, report: MergeReport, { inputs }: Options): Promise<void> {
  await context.answer.object(report, { lines: (page) => mergeLines(report, inputs, page) })
  for (const note of report.notes) await context.diagnostics.note(note)
}

function mergeLines(report: MergeReport, inputs: readonly string[], page: Page): StyledLine[] {
  return cardLines(
    [
      ['created', report.output],
      ['memories', report.memories.toLocaleString('en-US')],
      ['forgotten', report.forgotten || null],
      ['size', shortBytes(report.bytes)],
      ...report.added.map((count, index): [string, string] => [
        `from ${index + 1}`,
        `${formatCount(count, 'new id')} from ${inputs[index] ?? ''}`
      ]),
      ['root hash', report.root_hash]
    ],
    page
  )
}

function parseMerge({ words, options }: CommandLine): Options {
  const driver = options.gitDriver === true
  const output = textOption(options, 'output')
  if (driver && words.length !== 3)
    throw new Fault('usage', `--git-driver expects three files, %O %A %B, and received ${words.length}`, {
      hint: 'memctl device merge --git-driver %O %A %B'
    })
  if (!driver && output === undefined)
    throw new Fault('usage', 'missing --output', { hint: 'memctl device merge A B -o OUT' })
  if (words.filter((word) => word === '-').length > 1)
    throw new Fault('usage', 'only one of the snapshots can be stdin', { hint: 'give files for the others' })
  return {
    inputs: words,
    output: output ?? '',
    base: textOption(options, 'base'),
    format: formatOption(options),
    force: options.force === true,
    skipDamaged: options.skipDamaged === true,
    driver
  }
}
