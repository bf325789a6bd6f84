import type { MailContext } from './own-words.ts'
import { isRule } from './signature.ts'

/** Lines that a block of headers above a quoted message has. */
const BLOCK_LINES_MIN = 3
const BLOCK_LINES_MAX = 10

/**
 * Lines without what stands behind the headers of the answered message, as Outlook and others put it, unmarked, below a reply. The
 * block is told by its form, in any language: `Word: value` line by line, one value being this message's own subject, one a date
 * with its year.
 */
export function withoutHeaderBlock(lines: readonly string[], { subject, isReply }: MailContext): readonly string[] {
  const base = baseOf(subject)
  if (!isReply || base === '' || PASSED_ON.test(subject)) return lines
  const begin = lines.findIndex((_, at) => isBlock(lines, at, base))
  if (begin === -1) return lines
  let end = begin
  while (end > 0 && isBorder(lines[end - 1] ?? '')) end -= 1
  return lines.slice(0, end)
}

/** What mail programs of several languages put before the subject of what is passed on. It is kept, as is what they do not know. */
const PASSED_ON = /^\s*(?:fwd?|wg|tr|rv|enc|vb|vs|pd|i|doorst)\s*:/i

/** A subject without what replies put before it: a few letters, perhaps a count, and a colon. */
function baseOf(subject: string): string {
  return subject
    .slice(0, 1000)
    .replace(/^(?:\s*[^\s:]{1,6}(?:\[\d{1,3}\])?\s?:)+/, '')
    .trim()
    .toLowerCase()
}

/** `Word: value`, or the same in bold as plain text shows it. */
const LABELLED = /^\s*[*_]{0,2}([^\s:<>][^:<>]{0,39}?)\s?:[*_]{0,2}\s*(\S.*)$/

function isBlock(lines: readonly string[], at: number, base: string): boolean {
  if (!LABELLED.test(lines[at] ?? '')) return false
  const values: string[] = []
  for (const line of lines.slice(at, at + BLOCK_LINES_MAX)) {
    const value = LABELLED.exec(line)?.[2]
    if (value === undefined) break
    values.push(value.replace(/^[*_]+\s*/, '').toLowerCase())
  }
  return (
    values.length >= BLOCK_LINES_MIN &&
    values.some((value) => baseOf(value) === base) &&
    values.some((value) => /\b(?:19|20)\d\d\b/.test(value))
  )
}

function isBorder(line: string): boolean {
  return line.trim() === '' || isRule(line) || /^\s*[-_*]{5,}\s*$/.test(line)
}
