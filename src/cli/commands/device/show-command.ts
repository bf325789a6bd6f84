import type { MemoryRecord } from '../../../contract/snapshot.ts'
import { defineCommand } from '../../command/command.ts'
import { cardLines, quoteLines } from '../../output/card-lines.ts'
import { listHidden } from '../../output/hidden-characters.ts'
import { jsonText } from '../../output/json-text.ts'
import type { Page, StyledLine } from '../../output/styled-line.ts'
import { openSnapshot } from '../../snapshots/open-snapshot.ts'
import { recordJson } from '../../views/record-list.ts'
import { understoodLines } from '../../views/understood-lines.ts'

export const showCommand = defineCommand<{ id: string }>({
  name: 'show',
  summary: 'Show a memory in full',
  words: [{ name: '<id>', about: 'id of a memory, or its first 6 characters or more' }],
  options: [],
  examples: ['memctl device show mem_4be0c1', 'memctl device show mem_4be0c1 --fields text'],
  blocks: true,
  leaves: 'Showing changes nothing',
  parse: ({ words }) => ({ id: words[0] ?? '' }),
  run: async (context, { id }) => {
    await openSnapshot(context, async (device) => {
      const { record } = device.show(id)
      await context.answer.object(recordJson(record), { lines: (page) => recordLines(record, page) })
    })
  }
})

/** One memory whole, for a terminal: what is known of it, its text behind a quote mark, and what was understood. */
function recordLines(record: MemoryRecord, page: Page): StyledLine[] {
  const known = cardLines(
    [
      ['id', record.id],
      ['at', record.undated ? `${record.at} (undated: when it was stored)` : record.at],
      ['speaker', record.speaker],
      ['conversation', record.conversation],
      ['position', record.position],
      ['metadata', record.metadata === undefined ? undefined : jsonText(record.metadata)],
      ['hidden', hiddenText(record)]
    ],
    page
  )
  return [...known, [''], ...quoteLines(record.text, page), ...understoodLines(record, page)]
}

/** Codes of the hidden characters of the text, which the terminal is not given. */
function hiddenText({ text }: MemoryRecord): string | undefined {
  const codes = listHidden(text)
  if (codes.length === 0) return undefined
  const named = codes.slice(0, CODES_MAX).join(', ')
  return `${named}${codes.length > CODES_MAX ? ', …' : ''}: left out below, --json has them`
}

const CODES_MAX = 8
