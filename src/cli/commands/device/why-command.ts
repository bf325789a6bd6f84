import type { MemoryRecord } from '../../../contract/snapshot.ts'
import type { Why } from '../../../device/device.ts'
import { defineCommand } from '../../command/command.ts'
import { formatCount, shortId } from '../../output/short-forms.ts'
import type { Page, StyledLine } from '../../output/styled-line.ts'
import { openSnapshot } from '../../snapshots/open-snapshot.ts'
import { MEMORY_WORD, resolveNumber } from '../../snapshots/search-numbers.ts'
import { formatDay } from '../../views/explanation-text.ts'
import { recordJson } from '../../views/record-list.ts'
import { throwIfDamaged } from '../../views/throw-if-damaged.ts'
import { recordLines } from './show-command.ts'

export const whyCommand = defineCommand<{ id: string }>({
  name: 'why',
  summary: 'Show the origin of a memory: its place, its rules and related memories',
  words: [MEMORY_WORD],
  options: [],
  about:
    'Shows where the memory is in the file, which rule extracted each fact from which words, which memories state the same ' +
    'or contradict it, and which ones supersede the memory. --json prints the record with line, superseded_by, supersedes, ' +
    'and in each fact corroborated_by, contradicted_by, supersedes and superseded_by.',
  examples: ['memctl device why mem_4be0c1', 'memctl device why 1', 'memctl device why mem_4be0c1 --json'],
  leaves: 'Nothing was changed',
  parse: ({ words }) => ({ id: words[0] ?? '' }),
  run: async (context, { id }) => {
    await openSnapshot(context, async (device) => {
      const why = await device.why(resolveNumber(context, id, device.path))
      await context.answer.object(whyJson(why), { lines: (page) => whyLines(why, { page, path: device.path }) })
      for (const note of why.notes) await context.diagnostics.note(note)
      await throwIfDamaged(context, why.damaged, device.path)
    })
  }
})

function whyJson({ record, line, forgotten, report }: Why): Record<string, unknown> {
  return { ...recordJson(record), line, forgotten, ...report }
}

function whyLines(
  { record, line, forgotten, report }: Why,
  { page, path }: { page: Page; path: string }
): StyledLine[] {
  const { superseded_by: later, facts } = report
  return recordLines({ ...record, facts: facts as MemoryRecord['facts'], given: undefined }, page, {
    rows: [
      ['place', `line ${line} of ${path}`],
      ['extractor', record.extractor === 0 ? 'none: the text was stored without extraction' : String(record.extractor)],
      ['no longer holds', later === null ? undefined : `corrected by ${later.id}, since ${formatDay(later.at)}`],
      ['forgotten', forgotten ? 'yes; the text is in the file until memctl device compact' : undefined]
    ],
    remarks: facts.map(remarkTexts)
  })
}

/** Returns what other memories say about a fact. */
function remarkTexts(fact: Why['report']['facts'][number]): string[] {
  const { corroborated_by, contradicted_by, supersedes, superseded_by, valid_from, valid_to } = fact
  const holds = [
    valid_from === null ? '' : `since ${formatDay(valid_from)}`,
    valid_to === null ? '' : `until ${formatDay(valid_to)}`
  ].filter((text) => text !== '')
  return [
    holds.length === 0 ? '' : `holds ${holds.join(' ')}`,
    corroborated_by.length === 0 ? '' : `also stated by ${listIds(corroborated_by)}`,
    contradicted_by.length === 0 ? '' : `contradicted by ${listIds(contradicted_by)}`,
    ...supersedes.map((other) => `before: ${otherText(other)}`),
    ...superseded_by.map((other) => `afterwards: ${otherText(other)}`)
  ].filter((text) => text !== '')
}

function otherText({ value, source_ids }: Why['report']['facts'][number]['supersedes'][number]): string {
  return `${value} (${listIds(source_ids)})`
}

/** Maximum number of ids listed for one statement. */
const IDS_MAX = 3

function listIds(ids: readonly string[]): string {
  const more = ids.length - IDS_MAX
  return `${ids.slice(0, IDS_MAX).map(shortId).join(', ')}${more > 0 ? ` and ${formatCount(more, 'other')}` : ''}`
}
