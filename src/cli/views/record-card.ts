import type { MemoryRecord } from '../../contract/snapshot.ts'
import { cardLines, quoteLines } from '../output/card.ts'
import { hiddenIn } from '../output/hidden-characters.ts'
import { jsonText } from '../output/json-text.ts'
import type { Line, Page } from '../output/line.ts'
import { understoodLines } from './understood-lines.ts'

/** One memory whole, for a terminal: what is known of it, its text behind a quote mark, and what was understood. */
export function recordLines(record: MemoryRecord, page: Page): Line[] {
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
  const codes = hiddenIn(text)
  if (codes.length === 0) return undefined
  const named = codes.slice(0, CODES_MAX).join(', ')
  return `${named}${codes.length > CODES_MAX ? ', …' : ''}: left out below, --json has them`
}

const CODES_MAX = 8
