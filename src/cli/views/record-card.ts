import type { MemoryRecord } from '../../contract/snapshot.ts'
import { cardLines, textLines } from '../output/card.ts'
import { jsonText } from '../output/json-text.ts'
import type { Line, Page } from '../output/line.ts'
import { understoodLines } from './understood-lines.ts'

/** One memory whole, for eyes: what is known of it, its text, and what was understood. */
export function recordLines(record: MemoryRecord, page: Page): Line[] {
  const known = cardLines(
    [
      ['id', record.id],
      ['at', record.undated ? `${record.at} (undated: when it was stored)` : record.at],
      ['speaker', record.speaker],
      ['conversation', record.conversation],
      ['position', record.position],
      ['metadata', record.metadata === undefined ? undefined : jsonText(record.metadata)]
    ],
    page
  )
  return [...known, [''], ...textLines(record.text, page), ...understoodLines(record, page)]
}
