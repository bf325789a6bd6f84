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
    { flags: '--re-extract', about: 'extract facts, procedures and events from all texts again' },
    { flags: '--skip-damaged', about: 'move damaged lines to NAME.aside and continue' },
    {
      flags: '--drop-forgets',
      about: 'also drop the records of forgotten memories; merging an old copy can then restore them'
    },
    { flags: '--format <form>', about: 'format of the file: jsonl (one memory per line) or json (one object)' }
  ],
  about: 'Removes the text of forgotten memories from the file. Search results and the root hash stay the same.',
  examples: ['memctl device compact', 'memctl device compact --format json'],
  leaves: 'The snapshot is either the old or the new one, complete; the next compact removes a leftover NAME.new',
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
      ['re-extracted', report.re_extracted === 0 ? null : formatCount(report.re_extracted, 'text')],
      ['moved aside', report.aside === 0 ? null : formatCount(report.aside, 'damaged line')],
      ['root hash', report.root_hash]
    ],
    page
  )
}
