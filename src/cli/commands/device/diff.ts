import { Fault } from '../../../contract/faults.ts'
import type { DiffReport } from '../../../device/types.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { inputPath } from '../../input/read-input.ts'
import { spoolInput } from '../../input/spool.ts'
import { shellWord } from '../../output/short-forms.ts'
import { diffLines, diffRows } from '../../views/difference.ts'

type Options = { a: string; b: string; exitCode: boolean }

export const diff = defineCommand<Options>({
  name: 'diff',
  summary: 'what differs between two snapshots',
  words: [
    { name: '<a>', about: 'a snapshot; - is stdin' },
    { name: '<b>', about: 'the snapshot that it is compared with; - is stdin' }
  ],
  options: [{ flags: '--exit-code', about: 'exit 11 when they differ' }],
  about:
    'Typed: memories added, gone, forgotten and changed; facts added, gone and with another value. Order of lines means nothing.',
  examples: [
    'memctl device diff old.mem.jsonl new.mem.jsonl',
    'git show HEAD:notes.mem.jsonl | memctl device diff - notes.mem.jsonl'
  ],
  blocks: true,
  leaves: 'Comparing changes nothing',
  parse: ({ words, options }) => {
    const [a = '', b = ''] = words
    if (a === '-' && b === '-')
      throw new Fault('usage', 'stdin can be one of the two snapshots, not both', { hint: 'name a file for one' })
    return { a, b, exitCode: options.exitCode === true }
  },
  run: async (context, options) => {
    if (options.a === '-') return await spoolInput(context.world, (path) => compare(context, { ...options, a: path }))
    if (options.b === '-') return await spoolInput(context.world, (path) => compare(context, { ...options, b: path }))
    await compare(context, options)
  }
})

async function compare(context: Context, { a, b, exitCode }: Options): Promise<void> {
  const room = await context.device()
  const report: DiffReport = await room.diff(context.world, inputPath(context.world, a), inputPath(context.world, b))
  await context.answer.object(report, { lines: (page) => diffLines(report, page), rows: () => diffRows(report) })
  if (exitCode && !report.equal) {
    const merge = `memctl device merge ${shellWord(a)} ${shellWord(b)} -o OUT`
    throw new Fault('check_failed', 'the two snapshots differ', { hint: `${merge} unites them` })
  }
}
