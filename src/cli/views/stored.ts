import type { Stored } from '../../device/types.ts'
import { cutText } from '../output/fit-text.ts'
import type { Line, Page } from '../output/line.ts'
import { shortTime } from '../output/short-forms.ts'
import { understoodLines } from './understood-lines.ts'

/** One memory that is stored, or would be, for eyes: its id, and what was understood of it. */
export function storedLines({ id, at, record }: Stored, { page, verb }: { page: Page; verb: string }): Line[] {
  const said = [
    shortTime(at),
    record.speaker === undefined ? '' : `by ${record.speaker}`,
    record.conversation === undefined ? '' : `in ${record.conversation}`
  ]
  const details = said.filter((part) => part !== '').join(' ')
  const together = verb.length + 1 + id.length + 2 + page.width(details) <= page.columns
  const first: Line = [`${verb} `, { text: id, look: 'bold' }]
  const lines: Line[] = together
    ? [[...first, '  ', { text: details, look: 'dim' }]]
    : [first, ['  ', { text: cutText(details, page.columns - 2, page.width), look: 'dim' }]]
  return [...lines, ...understoodLines(record, page)]
}
