import { createHash } from 'node:crypto'
import type { ItemContent } from '../../provider.ts'
import { type Page, type Tagged, taggedText } from '../wire.ts'
import { propertyLines, titleOf } from './property-lines.ts'

/**
 * A page as an item. Of a page without any text its title is what it says; without either it is one, too, with nothing
 * in it: it may have had a text before. No speaker: a page is nobody's
 * saying. The time is that of the last edit, which is when all of it was last said to be so.
 */
export function pageItem(page: Page, body: string): ItemContent & { version: string } {
  const title = titleOf(page)
  const text = [propertyLines(page).join('\n'), body].filter((part) => part !== '').join('\n\n') || title
  return {
    id: page.id,
    version: versionOf(page, [title, text]),
    ...(title !== '' && { title }),
    ...(page.url !== undefined && { url: page.url }),
    parts: text === '' ? [] : [{ text, at: Date.parse(page.last_edited_time) }]
  }
}

/**
 * The time of the last edit, which is exact to a minute only, and a hash of the text: so two edits within a minute differ, while a page that was
 * read again in vain does not.
 */
function versionOf(page: Page, texts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16)
  return `${page.last_edited_time} ${hash}`
}

/** Where a page stands: id of a page, block, database or data source; undefined at the top. */
export function placeOf({ parent }: { parent: Tagged }): string | undefined {
  return taggedText(parent)
}
