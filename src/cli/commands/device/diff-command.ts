import { Fault } from '../../../contract/faults.ts'
import type { DiffReport, FactBrief, MemoryBrief } from '../../../device/device.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { resolveInputPath } from '../../input/read-input-text.ts'
import { spoolInput } from '../../input/spool-input.ts'
import { shellWord, shortId, shortTime } from '../../output/short-forms.ts'
import type { Look, Page, StyledLine } from '../../output/styled-line.ts'
import { cutText } from '../../output/wrap-text.ts'

type Options = { a: string; b: string; exitCode: boolean }

export const diffCommand = defineCommand<Options>({
  name: 'diff',
  summary: 'Show the differences between two snapshots',
  words: [
    { name: '<a>', about: 'old snapshot; - for stdin' },
    { name: '<b>', about: 'new snapshot; - for stdin' }
  ],
  options: [{ flags: '--exit-code', about: 'exit 11 if the snapshots differ' }],
  about:
    'Lists memories that were added, removed, forgotten or changed, and facts that were added, removed or changed in ' +
    'value. The order of lines does not matter.',
  examples: [
    'memctl device diff old.mem.jsonl new.mem.jsonl',
    'git show HEAD:notes.mem.jsonl | memctl device diff - notes.mem.jsonl'
  ],
  blocks: true,
  leaves: 'Nothing was changed',
  parse: ({ words, options }) => {
    const [a = '', b = ''] = words
    if (a === '-' && b === '-')
      throw new Fault('usage', 'only one of the two snapshots can be stdin', { hint: 'give a file for the other' })
    return { a, b, exitCode: options.exitCode === true }
  },
  run: async (context, options) => {
    if (options.a === '-') return await spoolInput(context.world, (path) => compare(context, { ...options, a: path }))
    if (options.b === '-') return await spoolInput(context.world, (path) => compare(context, { ...options, b: path }))
    await compare(context, options)
  }
})

async function compare(context: Context, { a, b, exitCode }: Options): Promise<void> {
  const deviceModule = await context.device()
  const report: DiffReport = await deviceModule.diff(
    context.world,
    resolveInputPath(context.world, a),
    resolveInputPath(context.world, b)
  )
  await context.answer.object(report, { lines: (page) => diffLines(report, page), rows: () => diffRows(report) })
  if (exitCode && !report.equal) {
    const merge = `memctl device merge ${shellWord(a)} ${shellWord(b)} -o OUT`
    throw new Fault('check_failed', 'the two snapshots differ', { hint: `merge them: ${merge}` })
  }
}

/** Renders the differences for a terminal, one per line: `+` for an addition in B, `-` for a removal. */
function diffLines(report: DiffReport, page: Page): StyledLine[] {
  if (report.equal) return [['No differences.']]
  const { memories, facts } = report
  return [
    ...memories.added.map((one) => markText('+', 'good', memoryText(one))),
    ...memories.gone.map((one) => markText('-', 'bad', memoryText(one))),
    ...memories.forgotten.map((one) => markText('x', 'dim', `${memoryText(one)} (forgotten)`)),
    ...memories.changed.map((one) => markText('~', 'note', `${memoryText(one)} (changed)`)),
    ...facts.added.map((one) => markText('+', 'good', `fact ${factText(one)}`)),
    ...facts.gone.map((one) => markText('-', 'bad', `fact ${factText(one)}`)),
    ...facts.revalued.map((one) =>
      markText('~', 'note', `fact ${one.subject} · ${one.predicate}: ${one.from.join(', ')} → ${one.to.join(', ')}`)
    )
  ].map(([mark, look, text]): StyledLine => [{ text: `${mark} `, look }, cutText(text, page.columns - 2, page.width)])
}

/** Renders the differences as rows: the change, the kind of object, its id or subject, and its content. */
function diffRows({ memories, facts }: DiffReport): unknown[][] {
  const kinds = ['added', 'gone', 'forgotten', 'changed'] as const
  return [
    ...kinds.flatMap((kind) => memories[kind].map((one) => [kind, 'memory', one.id, one.at, one.speaker, one.text])),
    ...facts.added.map((one) => ['added', 'fact', one.subject, one.predicate, one.value]),
    ...facts.gone.map((one) => ['gone', 'fact', one.subject, one.predicate, one.value]),
    ...facts.revalued.map((one) => ['revalued', 'fact', one.subject, one.predicate, one.from, one.to])
  ]
}

function markText(mark: string, look: Look, text: string): [string, Look, string] {
  return [mark, look, text]
}

function memoryText(one: MemoryBrief): string {
  return `${shortId(one.id)}  ${shortTime(one.at)}  ${one.speaker === null ? '' : `${one.speaker}: `}${one.text}`
}

function factText(one: FactBrief): string {
  return `${one.subject} · ${one.predicate} · ${one.value}`
}
