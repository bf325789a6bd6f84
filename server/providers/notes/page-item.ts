import { createHash } from 'node:crypto'
import type { ItemContent } from '../port/provider.ts'
import type { PageText } from './page-text.ts'
import type { PageComments } from './read-comments.ts'
import { findTitle, type Row } from './read-row.ts'
import { type Page, readTagged, type Tagged } from './wire.ts'

/**
 * Converts a page to an item. A row begins with the title of its table and its own as headings, and a line for each
 * property. If a page has no text, its title is used. A page without either becomes an empty item, since it may have
 * had text before. There is no speaker. The time is that of the last edit, when the whole page last stood as it is.
 * Comments are turns about the page.
 */
export function toPageItem(
  page: Page,
  { text: body, cut: missing }: Pick<PageText, 'text' | 'cut'>,
  { row = { lines: [] }, comments = { parts: [] } }: { row?: Row; comments?: PageComments } = {}
): ItemContent & { version: string } {
  const title = findTitle(page)
  const reasons = [missing, row.cut, comments.cut].filter((reason) => reason !== undefined)
  const cut = reasons.length === 0 ? undefined : reasons.join('; ')
  const text = [writeHeadings(row, title), row.lines.join('\n'), body].filter(Boolean).join('\n\n') || title
  return {
    id: page.id,
    version: addCommentsVersion(computePageVersion(page, [title, text, ...(cut === undefined ? [] : [cut])]), comments),
    ...(title !== '' && { title }),
    ...(cut !== undefined && { cut }),
    ...(page.url !== undefined && { url: page.url }),
    parts: [...(text === '' ? [] : [{ text, at: Date.parse(page.last_edited_time) }]), ...comments.parts]
  }
}

/** Writes the headings of a row. The heading of the row itself is the subject of its properties. */
function writeHeadings({ table }: Row, title: string): string {
  if (table === undefined) return ''
  const own = title.replace(/\s+/g, ' ')
  return [`# ${table.replace(/\s+/g, ' ')}`, ...(own === '' ? [] : [`## ${own}`])].join('\n')
}

/**
 * Computes the version: the time of the last edit, which has minute precision, and a hash of the text. Two edits within
 * a minute get different versions, and an unchanged page keeps its version.
 */
function computePageVersion(page: Page, texts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16)
  return `${page.last_edited_time} ${hash}`
}

/**
 * Returns the version of a page with these comments, whatever comments it had. A comment does not change the time of
 * the last edit.
 */
export function addCommentsVersion(version: string, { version: comments }: PageComments): string {
  const own = version.split(' ').slice(0, 2)
  return [...own, ...(comments === undefined ? [] : [comments])].join(' ')
}

/** Returns the id of the parent page, block, database or data source, or undefined at the top level. */
export function getPlace({ parent }: { parent: Tagged }): string | undefined {
  return readTagged(parent)
}
