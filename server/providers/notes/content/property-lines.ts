import * as z from 'zod'
import type { Page, Tagged } from '../wire.ts'
import { plainText } from './rich-text.ts'

/** The title of a page, whatever its property is called. */
export function titleOf({ properties }: Page): string {
  const title = Object.values(properties).find(({ type }) => type === 'title')
  return plainText(title?.title).trim()
}

/**
 * What the columns of its data source say about a row, as `name: value`; a page that is no row has none. Kinds of values:
 * developers.notion.com/reference/page-property-values. Who made or edited it and when is told otherwise; relations have no titles.
 */
export function propertyLines({ parent, properties }: Page): string[] {
  if (parent.type !== 'data_source_id' && parent.type !== 'database_id') return []
  return Object.entries(properties).flatMap(([name, property]) => {
    const text = propertyText(property)
      .replace(/\s*\n\s*/g, ' ')
      .trim()
    return text === '' ? [] : [`${name}: ${text}`]
  })
}

function propertyText(property: Tagged): string {
  const value = property[property.type]
  const write = Object.hasOwn(WRITERS, property.type) ? WRITERS[property.type] : undefined
  return write?.(value) ?? ''
}

const WRITERS: Readonly<Record<string, (value: unknown) => string>> = {
  rich_text: plainText,
  number: simple,
  checkbox: (value) => (value === true ? 'yes' : 'no'),
  url: simple,
  email: simple,
  phone_number: simple,
  string: simple,
  boolean: (value) => (value === null ? '' : value === true ? 'yes' : 'no'),
  select: nameOf,
  status: nameOf,
  place: nameOf,
  multi_select: namesOf,
  people: namesOf,
  files: namesOf,
  date: dateText,
  formula: taggedText,
  rollup: taggedText,
  unique_id: numberedText,
  array: (value) => items(value).map(taggedText).filter(Boolean).join(', ')
}

function simple(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function nameOf(value: unknown): string {
  return Named.safeParse(value).data?.name ?? ''
}

function namesOf(value: unknown): string {
  return items(value).map(nameOf).filter(Boolean).join(', ')
}

function dateText(value: unknown): string {
  const date = Dated.safeParse(value).data
  if (date === undefined) return ''
  return date.end ? `${date.start} → ${date.end}` : date.start
}

function taggedText(value: unknown): string {
  const tagged = z.looseObject({ type: z.string() }).safeParse(value).data
  return tagged === undefined ? '' : propertyText(tagged)
}

function numberedText(value: unknown): string {
  const id = Numbered.safeParse(value).data
  return id === undefined ? '' : [id.prefix, id.number].filter((part) => part !== null && part !== '').join('-')
}

function items(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

const Named = z.looseObject({ name: z.string().nullish() })
const Dated = z.looseObject({ start: z.string(), end: z.string().nullish() })
const Numbered = z.looseObject({ prefix: z.string().nullable(), number: z.number() })
