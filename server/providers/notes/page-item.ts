import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { ItemContent } from '../port/provider.ts'
import { type PageText, plainText } from './page-text.ts'
import type { PageComments } from './read-comments.ts'
import { type Page, readTagged, type Tagged } from './wire.ts'

/**
 * Converts a page to an item. If a page has no text, its title is used. A page without either becomes an empty item,
 * since it may have had text before. There is no speaker. The time is that of the last edit, when the whole page last
 * stood as it is. Comments are turns about the page.
 */
export function toPageItem(
  page: Page,
  { text: body, cut: missing }: Pick<PageText, 'text' | 'cut'>,
  comments: PageComments = { parts: [] }
): ItemContent & { version: string } {
  const title = findTitle(page)
  const cut = missing ?? explainUnread(page) ?? comments.cut
  const text = [listProperties(page).join('\n'), body].filter((part) => part !== '').join('\n\n') || title
  return {
    id: page.id,
    version: addCommentsVersion(computePageVersion(page, [title, text, ...(cut === undefined ? [] : [cut])]), comments),
    ...(title !== '' && { title }),
    ...(cut !== undefined && { cut }),
    ...(page.url !== undefined && { url: page.url }),
    parts: [...(text === '' ? [] : [{ text, at: Date.parse(page.last_edited_time) }]), ...comments.parts]
  }
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

/** Returns the title of a page, whatever the name of its property. */
function findTitle({ properties }: Page): string {
  const title = Object.values(properties).find(({ type }) => type === 'title')
  return plainText(title?.title).trim()
}

/**
 * Lists the properties of a row as `name: value`. A page outside of data sources has none. Types of values:
 * developers.notion.com/reference/page-property-values. Omits creators, editors and times, which are available
 * elsewhere, and the types that `explainUnread` names.
 */
export function listProperties(page: Page): string[] {
  return listRowProperties(page).flatMap(([name, property]) => {
    const text = writeProperty(property)
      .replace(/\s*\n\s*/g, ' ')
      .trim()
    return text === '' ? [] : [`${name}: ${text}`]
  })
}

function listRowProperties({ parent, properties }: Page): [name: string, property: Tagged][] {
  const isRow = parent.type === 'data_source_id' || parent.type === 'database_id'
  return isRow ? Object.entries(properties) : []
}

/** Types of properties whose values are available elsewhere, or that have none. */
const SILENT: ReadonlySet<string> = new Set([
  ...['title', 'created_time', 'created_by', 'last_edited_time', 'last_edited_by', 'button', 'verification']
])

/** Names the properties of a row that have a value and are not read: relations, which have no titles, and unknown types. */
function explainUnread(page: Page): string | undefined {
  const types = listRowProperties(page).flatMap(([, property]) => {
    const { type } = property
    const value = property[type]
    const isEmpty =
      value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
    return isEmpty || SILENT.has(type) || Object.hasOwn(WRITERS, type) ? [] : [type.slice(0, 40)]
  })
  if (types.length === 0) return undefined
  return `only a part of the row is read: properties of the type ${[...new Set(types)].sort().join(', ')} are not`
}

function writeProperty(property: Tagged): string {
  const value = property[property.type]
  const write = Object.hasOwn(WRITERS, property.type) ? WRITERS[property.type] : undefined
  return write?.(value) ?? ''
}

const WRITERS: Readonly<Record<string, (value: unknown) => string>> = {
  rich_text: plainText,
  number: writeSimple,
  checkbox: (value) => (value === true ? 'yes' : 'no'),
  url: writeSimple,
  email: writeSimple,
  phone_number: writeSimple,
  string: writeSimple,
  boolean: (value) => (value === null ? '' : value === true ? 'yes' : 'no'),
  select: writeName,
  status: writeName,
  place: writeName,
  multi_select: writeNames,
  people: writeNames,
  files: writeNames,
  date: writeDate,
  formula: writeTagged,
  rollup: writeTagged,
  unique_id: writeNumber,
  array: (value) => toItems(value).map(writeTagged).filter(Boolean).join(', ')
}

function writeSimple(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function writeName(value: unknown): string {
  return Named.safeParse(value).data?.name ?? ''
}

function writeNames(value: unknown): string {
  return toItems(value).map(writeName).filter(Boolean).join(', ')
}

function writeDate(value: unknown): string {
  const date = Dated.safeParse(value).data
  if (date === undefined) return ''
  return date.end ? `${date.start} → ${date.end}` : date.start
}

function writeTagged(value: unknown): string {
  const tagged = z.looseObject({ type: z.string() }).safeParse(value).data
  return tagged === undefined ? '' : writeProperty(tagged)
}

function writeNumber(value: unknown): string {
  const id = Numbered.safeParse(value).data
  return id === undefined ? '' : [id.prefix, id.number].filter((part) => part !== null && part !== '').join('-')
}

function toItems(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

const Named = z.looseObject({ name: z.string().nullish() })
const Dated = z.looseObject({ start: z.string(), end: z.string().nullish() })
const Numbered = z.looseObject({ prefix: z.string().nullable(), number: z.number() })
