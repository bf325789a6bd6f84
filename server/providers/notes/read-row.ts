import * as z from 'zod'
import type { ProviderCall } from '../port/provider.ts'
import { plainText } from './page-text.ts'
import { getDataSource, getPage, unlessUnavailable } from './requests.ts'
import { type Page, readTagged, type Tagged } from './wire.ts'

/** The titles of data sources and pages that rows refer to. Each is requested at most once. */
export type Titles = {
  /** The title of a data source, or an empty text if the account cannot see it. */
  source(id: string): Promise<string>
  /** The title of a page, or undefined if the account cannot see it. */
  page(id: string): Promise<string | undefined>
}

/** Opens the titles of an account. A request that fails is repeated when its title is needed again. */
export function openTitles(call: ProviderCall): Titles {
  const asked = new Map<string, Promise<string | undefined>>()
  const once = (id: string, ask: () => Promise<string | undefined>) => {
    const title = asked.get(id) ?? ask()
    asked.set(id, title)
    title.catch(() => asked.delete(id))
    return title
  }
  return {
    source: async (id) =>
      (await once(id, async () => plainText((await unlessUnavailable(getDataSource(call, id)))?.title).trim())) ?? '',
    page: (id) =>
      once(id, async () => {
        const page = await unlessUnavailable(getPage(call, id))
        return page === undefined ? undefined : findTitle(page)
      })
  }
}

/** Returns the title of a page, whatever the name of its property. */
export function findTitle({ properties }: Page): string {
  const title = Object.values(properties).find(({ type }) => type === 'title')
  return plainText(title?.title).trim()
}

/** A row of a data source: the title of its table, a line for each property, and why a part of it is missing. */
export type Row = { table?: string; lines: string[]; cut?: string }

/**
 * Reads the properties of a row as lines of `name: value`: developers.notion.com/reference/page-property-values. A page
 * outside of data sources has none.
 *
 * @throws ProviderFailure
 */
export async function readRow(page: Page, titles: Titles): Promise<Row> {
  const { parent, properties } = page
  if (parent.type !== 'data_source_id' && parent.type !== 'database_id') return { lines: [] }
  const source = parent.type === 'data_source_id' ? readTagged(parent) : undefined
  const table = source === undefined ? '' : await titles.source(source)
  const entries = Object.entries(properties)
  const related = await readRelated(listRelated(entries.map(([, property]) => property)), titles)
  const lines: string[] = []
  const unread: string[] = []
  for (const [name, property] of entries) {
    if (SHOWN_ELSEWHERE.has(property.type)) continue
    const { text, isPartial } = readProperty(property, related)
    if (text.trim() !== '') lines.push(`${name}: ${toLine(text)}`)
    if (isPartial) unread.push(`${toLine(name).slice(0, NAME_MAX)} (${property.type.slice(0, NAME_MAX)})`)
  }
  return { ...(table !== '' && { table }), lines, ...(unread.length > 0 && { cut: explainUnread(unread) }) }
}

/** Types whose value is the title or the time of the item, and buttons, which have no value. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['title', 'last_edited_time', 'button'])

const NAME_MAX = 40
/** Names of properties in a reason. */
const UNREAD_MAX = 10

function explainUnread(unread: readonly string[]): string {
  const more = unread.length > UNREAD_MAX ? ` and ${unread.length - UNREAD_MAX} more` : ''
  return `only a part of the row is read: values are missing of ${unread.slice(0, UNREAD_MAX).join(', ')}${more}`
}

function toLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim()
}

/** Related pages of one row whose titles are read. */
const RELATED_MAX = 50

function listRelated(properties: readonly Tagged[]): string[] {
  return properties.flatMap((property) => {
    const value = property[property.type]
    if (property.type === 'relation') return toItems(value).flatMap((one) => Related.safeParse(one).data?.id ?? [])
    if (property.type === 'rollup') return listRelated([value].flatMap(toTagged))
    return property.type === 'array' ? listRelated(toItems(value).flatMap(toTagged)) : []
  })
}

/** Reads the titles of related pages by their ids, as far as the account can see the pages. */
async function readRelated(ids: readonly string[], titles: Titles): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const id of [...new Set(ids)].slice(0, RELATED_MAX)) {
    const title = await titles.page(id)
    if (title !== undefined) found.set(id, title)
  }
  return found
}

/** The text of a value. `isPartial`: a part of it is not returned, or of an unknown type. */
type Value = { text: string; isPartial: boolean }

/** The number of pages and people of a property that Notion returns with a page. It may have more. */
const REFERENCES_MAX = 25

function readProperty(property: Tagged, related: ReadonlyMap<string, string>): Value {
  const { type } = property
  const value = property[type]
  if (value === null || value === undefined || value === '') return { text: '', isPartial: false }
  if (type === 'formula' || type === 'rollup')
    return joinValues([value].flatMap(toTagged).map((inner) => readProperty(inner, related)))
  if (type === 'array')
    return joinValues(
      toItems(value)
        .flatMap(toTagged)
        .map((inner) => readProperty(inner, related))
    )
  if (type === 'relation') {
    const names = toItems(value).map((one) => toValue(related.get(Related.safeParse(one).data?.id ?? '') ?? ''))
    return joinValues([...names, { text: '', isPartial: property.has_more === true }])
  }
  const items = Object.hasOwn(LISTS, type) ? toItems(value) : undefined
  if (items !== undefined) {
    const isLimited = type === 'people' && items.length >= REFERENCES_MAX
    return joinValues([...items.map((one) => toValue(LISTS[type]?.(one) ?? '')), { text: '', isPartial: isLimited }])
  }
  const isEmpty = Array.isArray(value) && value.length === 0
  const text = (Object.hasOwn(WRITERS, type) ? WRITERS[type]?.(value) : undefined) ?? ''
  return isEmpty ? { text, isPartial: false } : toValue(text)
}

/** Returns the value of something that is present: without a text, it could not be read. */
function toValue(text: string): Value {
  return { text, isPartial: text === '' }
}

function joinValues(values: readonly Value[]): Value {
  const texts = values.map(({ text }) => text.trim()).filter(Boolean)
  return { text: texts.join(', '), isPartial: values.some(({ isPartial }) => isPartial) }
}

/** Types whose value is a list, with the text of one entry. */
const LISTS: Readonly<Record<string, (entry: unknown) => string>> = {
  multi_select: writeName,
  people: writeName,
  files: writeName
}

const WRITERS: Readonly<Record<string, (value: unknown) => string>> = {
  title: plainText,
  rich_text: plainText,
  number: writeSimple,
  checkbox: (value) => (value === true ? 'yes' : 'no'),
  url: writeSimple,
  email: writeSimple,
  phone_number: writeSimple,
  created_time: writeSimple,
  last_edited_time: writeSimple,
  string: writeSimple,
  boolean: (value) => (value === true ? 'yes' : 'no'),
  select: writeName,
  status: writeName,
  created_by: writeName,
  last_edited_by: writeName,
  place: (value) => joinTexts(Place.safeParse(value).data, ', '),
  verification: writeVerification,
  date: writeDate,
  unique_id: (value) => joinTexts(Numbered.safeParse(value).data, '-')
}

function writeSimple(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function writeName(value: unknown): string {
  return Named.safeParse(value).data?.name ?? ''
}

function writeDate(value: unknown): string {
  const date = Dated.safeParse(value).data
  if (date === undefined) return ''
  return date.end ? `${date.start} → ${date.end}` : date.start
}

/** Writes what the owner of a page in a wiki declared, such as `verified by Ada, 2026-03-01 → 2026-06-01`. */
function writeVerification(value: unknown): string {
  const found = Verified.safeParse(value).data
  if (found === undefined) return ''
  const by = writeName(found.verified_by)
  return [by === '' ? found.state : `${found.state} by ${by}`, writeDate(found.date)].filter(Boolean).join(', ')
}

function joinTexts(parts: readonly unknown[] | undefined, separator: string): string {
  return (parts ?? []).filter((part) => part !== null && part !== undefined && part !== '').join(separator)
}

function toItems(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function toTagged(value: unknown): Tagged[] {
  const tagged = z.looseObject({ type: z.string() }).safeParse(value).data
  return tagged === undefined ? [] : [tagged]
}

const Related = z.looseObject({ id: z.string() })
const Named = z.looseObject({ name: z.string().nullish() })
const Dated = z.looseObject({ start: z.string(), end: z.string().nullish() })
const Place = z
  .looseObject({ name: z.string().nullish(), address: z.string().nullish() })
  .transform(({ name, address }) => [name, address])
const Numbered = z
  .looseObject({ prefix: z.string().nullish(), number: z.number() })
  .transform(({ prefix, number }) => [prefix, number])
const Verified = z.looseObject({ state: z.string(), verified_by: z.unknown(), date: z.unknown() })
