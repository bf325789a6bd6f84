import type { CompactOptions, CompactReport } from '../../../device/device.ts'
import { defineCommand } from '../../command/command.ts'
import { formatOption } from '../../input/command-line.ts'
import { cardLines } from '../../output/card-lines.ts'
import { formatCount, shortBytes } from '../../output/short-forms.ts'
import type { Page, StyledLine } from '../../output/styled-line.ts'
import { openSnapshotForWriting } from '../../snapshots/open-snapshot.ts'

export const compactCommand = defineCommand<CompactOptions>({
  name: 'compact',
  summary: 'Rewrite a snapshot without obsolete lines',
  options: [
    { flags: '--re-extract', about: 'understand every text anew with this version' },
    { flags: '--skip-damaged', about: 'go on without damaged lines, which are put into NAME.aside first' },
    {
      flags: '--drop-forgets',
      about: 'also drop what is known of forgotten memories: an old copy can then bring them back'
    },
    { flags: '--format <form>', about: 'jsonl (one memory a line) or json (one object)' }
  ],
  about:
    'The text of forgotten memories leaves the file. Answers are the same before and after, and so is the root hash.',
  examples: ['memctl device compact', 'memctl device compact --format json'],
  leaves:
    'The snapshot is the old one or the new one, whole; a NAME.new that may be left is removed by the next compact',
  parse: ({ options }) => ({
    reExtract: options.reExtract === true,
    skipDamaged: options.skipDamaged === true,
    dropForgets: options.dropForgets === true,
    format: formatOption(options)
  }),
  run: async (context, options) => {
    await openSnapshotForWriting(context, async (device) => {
      const report = await device.compact({ ...options, signal: context.world.terminal.interrupted })
      await context.answer.object(report, { lines: (page) => compactLines(report, page) })
      for (const note of report.notes) await context.diagnostics.note(note)
    })
  }
})

function compactLines(report: CompactReport, page: Page): StyledLine[] {
  return cardLines(
    [
      ['snapshot', report.path],
      ['memories', report.memories.toLocaleString('en-US')],
      ['size', `${shortBytes(report.bytes_before)} before, ${shortBytes(report.bytes_after)} now`],
      ['dropped', report.dropped === 0 ? null : formatCount(report.dropped, 'line')],
      ['understood anew', report.re_extracted === 0 ? null : formatCount(report.re_extracted, 'text')],
      ['put aside', report.aside === 0 ? null : formatCount(report.aside, 'damaged line')],
      ['root hash', report.root_hash]
    ],
    page
  )
}
