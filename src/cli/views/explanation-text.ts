import { jsonText } from '../output/json-text.ts'
import { plainLine } from '../output/plain-text.ts'

/**
 * An explanation for eyes: its plain values on one line, and a line for each thing that it lists. Numbers are shortened;
 * what is empty or gave nothing is left out, and so are the spans, which are marked in the text. JSON has everything.
 */
export function explanationText(explanation: unknown): string[] {
  if (typeof explanation !== 'object' || explanation === null) return []
  const fields = Object.entries(explanation).filter(([name]) => name !== 'spans')
  const lists = fields.flatMap(([name, value]) => (isListOfObjects(value) ? [{ name, value }] : []))
  const plain = fields.filter(([, value]) => !isListOfObjects(value) && !isEmpty(value))
  return [
    ...(plain.length > 0 ? [valuesText(plain)] : []),
    ...lists.flatMap(({ name, value }) => value.filter(gaveSomething).map((one) => `${spoken(name)}: ${itemText(one)}`))
  ]
}

function isListOfObjects(value: unknown): value is object[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'object' && one !== null)
}

/** What says of itself that its part of the score is none need not be read. */
function gaveSomething(item: object): boolean {
  return (item as { part?: unknown }).part !== 0
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

/** What something is called first, then what is said of it. */
function itemText(item: object): string {
  const { name, ...rest } = item as { name?: unknown }
  const values = valuesText(Object.entries(rest).filter(([, value]) => !isEmpty(value)))
  return name === undefined ? values : `${spoken(valueText(name))}  ${values}`
}

function valuesText(values: readonly [string, unknown][]): string {
  return values.map(([name, value]) => `${spoken(name)} ${valueText(value)}`).join('  ')
}

function valueText(value: unknown): string {
  if (typeof value === 'number') return numberText(value)
  if (typeof value === 'string') return plainLine(value)
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  return plainLine(jsonText(value))
}

/** `339`, `2.5`, `.058`: whole numbers whole, of others two or three digits that count. */
function numberText(value: number): string {
  if (Number.isInteger(value)) return String(value)
  const digits = Math.abs(value) < SMALL ? value.toPrecision(2) : value.toFixed(2)
  return digits.replace(/^(-?)0\./, '$1.').replace(/(\.\d*?)0+$/, '$1')
}

const SMALL = 0.1

function spoken(name: string): string {
  return name.replaceAll('_', ' ')
}
