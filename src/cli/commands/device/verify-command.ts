import { Fault } from '../../../contract/faults.ts'
import type { VerifyReport } from '../../../device/device.ts'
import { defineCommand } from '../../command/command.ts'
import { cardLines } from '../../output/card-lines.ts'
import { formatCount, shellWord } from '../../output/short-forms.ts'
import type { Page, StyledLine } from '../../output/styled-line.ts'
import { openSnapshot } from '../../snapshots/open-snapshot.ts'

export const verifyCommand = defineCommand<{ failOnWarning: boolean }>({
  name: 'verify',
  summary: 'Verify every line of a snapshot',
  options: [{ flags: '--fail-on-warning', about: 'exit 9 on warnings, such as an unfinished last line' }],
  about:
    'Reads every line, recomputes its checksum and id, and compares the counts with the headers. Exits 10 if lines are ' +
    'damaged or memories are lost.',
  examples: ['memctl device verify', 'memctl device verify --json --fail-on-warning'],
  leaves: 'Nothing was changed',
  parse: ({ options }) => ({ failOnWarning: options.failOnWarning === true }),
  run: async (context, { failOnWarning }) => {
    await openSnapshot(context, async (device, as) => {
      const report = { ...(await device.verify({ signal: context.world.terminal.interrupted })), ...as }
      const warnings = listWarnings(report)
      await context.answer.object(report, { lines: (page) => verifyLines(report, page) })
      for (const warning of warnings) await context.diagnostics.warn(warning)
      if (!report.sound) refuse(report)
      if (failOnWarning && warnings.length > 0) throw new Fault('warnings', `${report.path}: ${warnings.join('; ')}`)
    })
  }
})

function listWarnings({ tail }: VerifyReport): string[] {
  if (tail === null || tail.sound) return []
  return [
    `unfinished last line of ${formatCount(tail.bytes, 'byte')}: it was never acknowledged, and the next store moves it aside`
  ]
}

function refuse(report: VerifyReport): never {
  const wrong = [
    report.damaged.length > 0 ? formatCount(report.damaged.length, 'damaged line') : '',
    report.lost > 0 || report.lost_reason !== null
      ? (report.lost_reason ?? `${formatCount(report.lost, 'memory', 'memories')} lost`)
      : ''
  ]
  const what = wrong.filter((part) => part !== '').join('; ') || 'invalid'
  const isStdin = report.path === '-'
  const compact = `memctl device compact --skip-damaged --snapshot ${isStdin ? 'FILE' : shellWord(report.path)}`
  throw new Fault('invalid_snapshot', `${isStdin ? 'stdin' : report.path}: ${what}`, {
    hint: `restore the lines from a copy with memctl device merge, or drop them: ${compact}`,
    next: isStdin ? [] : [compact]
  })
}

function verifyLines(report: VerifyReport, page: Page): StyledLine[] {
  const facts = cardLines(
    [
      ['snapshot', report.path],
      ['form', report.form],
      ['lines', report.lines.toLocaleString('en-US')],
      ['memories', report.memories.toLocaleString('en-US')],
      ['forgotten', report.forgotten || null],
      ['unknown', report.unknown || null],
      ['root hash', report.root_hash],
      ...report.notes.map((note): [string, string] => ['note', note]),
      ...report.damaged.map((one): [string, string] => ['damaged', `line ${one.line}: ${one.reason}`]),
      ['lost', report.lost_reason]
    ],
    page
  )
  return [...facts, [{ text: report.sound ? 'sound' : 'not sound', look: report.sound ? 'good' : 'bad' }]]
}
