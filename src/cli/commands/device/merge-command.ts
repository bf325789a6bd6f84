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
  /** For git, which wants the result in its second file and no words. */
  driver: boolean
}

export const mergeCommand = defineCommand<Options>({
  name: 'merge',
  summary: 'Merge snapshots, also as a Git merge driver',
  words: [{ name: '<files...>', about: 'snapshots to unite; - is stdin. For git: %O %A %B' }],
  options: [
    { flags: '-o, --output <file>', about: 'where the result goes; - is stdout' },
    { flags: '--base <file>', about: 'the common ancestor, for a three-way merge' },
    { flags: '--force', about: 'overwrite the output' },
    { flags: '--skip-damaged', about: 'go on without damaged lines, which are put into NAME.aside first' },
    { flags: '--format <form>', about: 'jsonl (one memory a line) or json (one object)' },
    { flags: '--git-driver', about: 'as merge driver of git: %O is the ancestor, %A gets the result' }
  ],
  about: [
    'The union of the lines: the same in any order, and however often. What one side forgot stays forgotten.',
    'As merge driver: git config merge.memctl.driver "memctl device merge --git-driver %O %A %B" and, in ' +
      '.gitattributes, *.mem.jsonl -text merge=memctl'
  ].join('\n'),
  examples: ['memctl device merge laptop.mem.jsonl phone.mem.jsonl -o both.mem.jsonl'],
  leaves: 'The output is what it was before, or the whole result',
  parse: parseMerge,
  run: async (context, options) => {
    if (options.driver) return await mergeForGit(context, options)
    await withInputs(context, options, async (inputs) => {
      if (options.output !== '-') return await answerMerge(context, await unite(context, options, inputs), options)
      await spoolOutput(context.world, (output) => unite(context, { ...options, output }, inputs))
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

async function unite(context: Context, options: Options, inputs: readonly string[]): Promise<MergeReport> {
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

/** Git gives an empty file where the two sides have no common ancestor. */
async function mergeForGit(context: Context, options: Options): Promise<void> {
  const [base = '', ours = '', theirs = ''] = options.inputs
  const ancestor = context.world.files.find(resolveInputPath(context.world, base))
  const known = ancestor !== undefined && ancestor.size > 0
  const inputs = [ours, theirs].map((name) => resolveInputPath(context.world, name))
  const report = await unite(context, { ...options, base: known ? base : undefined, output: ours, force: true }, inputs)
  for (const note of report.notes) await context.diagnostics.note(note)
}

async function answerMerge(context: Context, report: MergeReport, { inputs }: Options): Promise<void> {
  await context.answer.object(report, { lines: (page) => mergeLines(report, inputs, page) })
  for (const note of report.notes) await context.diagnostics.note(note)
}

function mergeLines(report: MergeReport, inputs: readonly string[], page: Page): StyledLine[] {
  return cardLines(
    [
      ['made', report.output],
      ['memories', report.memories.toLocaleString('en-US')],
      ['forgotten', report.forgotten || null],
      ['size', shortBytes(report.bytes)],
      ...report.added.map((count, index): [string, string] => [
        `from ${index + 1}`,
        `${formatCount(count, 'id')} new from ${inputs[index] ?? ''}`
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
    throw new Fault('usage', '--git-driver takes three files: %O %A %B', {
      hint: 'memctl device merge --git-driver %O %A %B'
    })
  if (!driver && output === undefined)
    throw new Fault('usage', 'merge needs to know where the result goes', { hint: 'memctl device merge A B -o OUT' })
  if (words.filter((word) => word === '-').length > 1)
    throw new Fault('usage', 'stdin can be one of the snapshots, not several', { hint: 'name files for the others' })
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
