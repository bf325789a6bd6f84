import type { Stored } from '../../device/types.ts'
import type { Line, Page } from '../output/line.ts'
import { shortTime } from '../output/short-forms.ts'
import { understoodLines } from './record-card.ts'

/** One stored memory, for eyes: its id, and what was understood of it. */
export function storedLines({ id, at, record }: Stored, page: Page): Line[] {
  const said = [
    shortTime(at),
    record.speaker === undefined ? '' : `by ${record.speaker}`,
    record.conversation === undefined ? '' : `in ${record.conversation}`
  ]
  const details = said.filter((part) => part !== '').join(' ')
  const together = 'stored '.length + id.length + 2 + page.width(details) <= page.columns
  const first: Line = ['stored ', { text: id, look: 'bold' }]
  const lines: Line[] = together
    ? [[...first, '  ', { text: details, look: 'dim' }]]
    : [first, ['  ', { text: details, look: 'dim' }]]
  return [...lines, ...understoodLines(record, page)]
}
