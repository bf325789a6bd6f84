import type { MemoryRecord } from '../../../contract/snapshot.ts'
import { defineCommand } from '../../command/command.ts'
import { cardLines, quoteLines } from '../../output/card-lines.ts'
import { listHidden } from '../../output/hidden-characters.ts'
import { jsonText } from '../../output/json-text.ts'
import { shortId, shortTime } from '../../output/short-forms.ts'
import type { Page, StyledLine } from '../../output/styled-line.ts'
import { toPlainLine } from '../../output/to-plain-text.ts'
import { openSnapshot } from '../../snapshots/open-snapshot.ts'
import { MEMORY_WORD, resolveEntry } from '../../snapshots/search-numbers.ts'
import { recordJson } from '../../views/record-list.ts'
import { understoodLines } from '../../views/understood-lines.ts'

export const showCommand = defineCommand<{ id: string }>({
  name: 'show',
  summary: 'Show a memory in full',
  words: [MEMORY_WORD],
  options: [],
  examples: ['memctl device show mem_4be0c1', 'memctl device show 1', 'memctl device show mem_4be0c1 --fields text'],
  blocks: true,
  leaves: 'Nothing was changed',
  parse: ({ words }) => ({ id: words[0] ?? '' }),
  run: async (context, { id }) => {
    await openSnapshot(context, async (device) => {
      const entry = resolveEntry(context, id, device.path)
      const { record } = device.show(entry.id)
      const turns = entry.exchange.length === 0 ? [] : (await device.read(entry.exchange)).flatMap((read) => read.turns)
      await context.answer.object(recordJson(record), {
        lines: (page) => [...recordLines(record, page), ...exchangeLines(turns, page)]
      })
    })
  }
})

/** Renders the turns of an exchange, each with its time, speaker and id, and its text in full. */
function exchangeLines(turns: readonly MemoryRecord[], page: Page): StyledLine[] {
  if (turns.length === 0) return []
  return [
    [''],
    [{ text: 'Exchange', look: 'bold' }],
    ...turns.flatMap(({ id, at, undated, speaker, text }): StyledLine[] => [
      [
        [undated ? '' : shortTime(at), toPlainLine(speaker ?? ''), shortId(id)].filter((part) => part !== '').join('  ')
      ],
      ...quoteLines(text, page)
    ])
  ]
}

/** Rows and remarks that another command adds to a memory. */
type Additions = { rows?: readonly [string, string | undefined][]; remarks?: readonly (readonly string[])[] }

/** Renders a memory for a terminal: its fields, its text with quote marks, and the extracted facts, procedures and events. */
export function recordLines(record: MemoryRecord, page: Page, { rows = [], remarks }: Additions = {}): StyledLine[] {
  const known = cardLines(
    [
      ['id', record.id],
      ['at', record.undated ? `${record.at} (time of storing; no date given)` : record.at],
      ['speaker', record.speaker],
      ['conversation', record.conversation],
      ['position', record.position],
      ['supersedes', record.supersedes?.map(String).join(' ')],
      ['metadata', record.metadata === undefined ? undefined : jsonText(record.metadata)],
      ['hidden', hiddenText(record)],
      ...rows
    ],
    page
  )
  return [...known, [''], ...quoteLines(record.text, page), ...understoodLines(record, page, remarks)]
}

/** Lists the codes of hidden characters in the text, which are removed from terminal output. */
function hiddenText({ text }: MemoryRecord): string | undefined {
  const codes = listHidden(text)
  if (codes.length === 0) return undefined
  const named = codes.slice(0, CODES_MAX).join(', ')
  return `${named}${codes.length > CODES_MAX ? ', …' : ''} (removed below; use --json to see them)`
}

const CODES_MAX = 8
