import type { FieldBlock, Range } from './block.ts'
import { readFieldLine } from './field-line.ts'
import { isBlank, type Line, readLine } from './line.ts'
import { MAIL_HEADER_NAMES } from './mail-header-names.ts'
import type { BlockReader } from './reader.ts'

/** Reads the head of a mail at the top of a text: two known headers at least, one of them from, to or subject. */
export const readMailHeader: BlockReader = ({ text, line, isFirst }) => {
  if (!isFirst) return undefined
  const fields: FieldBlock[] = []
  let next = line.next
  let at = line
  for (let count = 0; count < LINES_MAX && !isBlank(at); count++) {
    const last = fields.at(-1)
    const header = headerOf(text, at)
    if (header !== undefined) fields.push({ kind: 'field', form: 'mail', start: at.first, end: at.end, ...header })
    else if (last !== undefined && at.indent > 0) extend(last, at.end)
    else break
    next = at.next
    if (next >= text.length) break
    at = readLine(text, next)
  }
  const meanings = new Set(fields.map(({ key }) => mailHeaderMeaning(text.slice(key.start, key.end))))
  const isMail = meanings.size > 1 && (meanings.has('from') || meanings.has('subject'))
  return isMail ? { blocks: fields, next } : undefined
}

/** What a header of this name says, in English: `from`, `to`, `subject`, `date`, …; undefined for other names. */
export function mailHeaderMeaning(name: string): string | undefined {
  const lower = name.toLowerCase().replace(/\s+/g, ' ')
  return MAIL_HEADER_NAMES.get(lower) ?? (/^x-[\w-]+$/.test(lower) ? 'technical' : undefined)
}

const LINES_MAX = 100

function headerOf(text: string, { first, end }: Line): { key: Range; value: Range } | undefined {
  const field = readFieldLine(text, { start: first, end })
  if (field === undefined || field.sign !== ':') return undefined
  const { key, value } = field
  return mailHeaderMeaning(text.slice(key.start, key.end)) === undefined ? undefined : { key, value }
}

/** A header may go on in lines that are indented. */
function extend(field: FieldBlock, end: number): void {
  field.end = end
  field.value.end = end
}
