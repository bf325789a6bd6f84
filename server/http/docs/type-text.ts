import { html } from 'hono/html'
import type { JsonSchema } from '../../../src/contract/json-schema.ts'
import type { Markup } from '../pages/inline-code.ts'

/** What values a schema takes, in a few words: its type, what it refers to, and its limits. */
export function typeText(schema: JsonSchema): Markup {
  const limits = limitsText(schema)
  return html`${kindText(schema)}${limits === '' ? '' : `, ${limits}`}`
}

const PREFIX = '#/components/schemas/'

function kindText({ $ref, anyOf, const: constant, enum: choices, type, items, format }: JsonSchema): Markup {
  if (typeof $ref === 'string') return link($ref.slice(PREFIX.length))
  if (constant !== undefined) return html`<code>${JSON.stringify(constant)}</code>`
  if (Array.isArray(choices)) return joinWithOr(choices.map((choice) => html`<code>${JSON.stringify(choice)}</code>`))
  if (Array.isArray(anyOf)) return joinWithOr(distinct(anyOf.map(kindText)))
  if (type === 'array') return items ? html`array of ${kindText(items as JsonSchema)}` : html`array`
  if (Array.isArray(type)) return html`${type.join(' or ')}`
  if (typeof format === 'string') return html`${FORMATS[format] ?? `string (${format})`}`
  return html`${typeof type === 'string' ? type : 'any JSON'}`
}

/** Formats of strings by the words that people have for them. */
const FORMATS: Readonly<Record<string, string>> = { uuid: 'UUID', date: 'date' }

function link(name: string): Markup {
  return html`<a href="#schema-${name}">${name}</a>`
}

function joinWithOr(parts: readonly Markup[]): Markup {
  return html`${parts.flatMap((part, at) => (at === 0 ? [part] : [html` or `, part]))}`
}

function distinct(parts: readonly Markup[]): Markup[] {
  return [...new Map(parts.map((part) => [String(part), part])).values()]
}

function limitsText(schema: JsonSchema): string {
  const { pattern, default: otherwise } = schema
  return [
    rangeText(schema.minimum, schema.maximum, ''),
    rangeText(schema.minLength, schema.maxLength, ' characters'),
    rangeText(schema.minItems, schema.maxItems, ' items'),
    typeof pattern === 'string' ? `like ${pattern}` : '',
    otherwise === undefined ? '' : `default ${JSON.stringify(otherwise)}`
  ]
    .filter((text) => text !== '')
    .join(', ')
}

function rangeText(least: unknown, most: unknown, unit: string): string {
  if (least !== undefined && least === most) return `${least}${unit}`
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`
  if (most !== undefined) return `at most ${most}${unit}`
  return least === undefined ? '' : `at least ${least}${least === 1 ? unit.replace(/s$/, '') : unit}`
}
