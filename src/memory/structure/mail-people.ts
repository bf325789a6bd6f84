import type { Range } from './block.ts'

/** In UTF-16 code units. */
const VALUE_UNITS_MAX = 2_000
const PEOPLE_MAX = 30

/** A header's value; of one that is too long, the whole entries that fit. */
export function headerText(text: string, { start, end }: Range): string {
  if (end - start <= VALUE_UNITS_MAX) return text.slice(start, end)
  const cut = text.slice(start, start + VALUE_UNITS_MAX)
  return cut.slice(0, Math.max(0, cut.lastIndexOf(',')))
}

/** Somebody in the head of a mail; an empty address where only a name stands. */
export type Person = { name: string | undefined; address: string }

/** `"Lee, Ann" <ann@acme.test>, bob@acme.test` */
export function peopleIn(value: string): Person[] {
  return splitPeople(value)
    .slice(0, PEOPLE_MAX)
    .map((part): Person => {
      const open = part.lastIndexOf('<')
      if (open < 0) return part.includes('@') ? { name: undefined, address: part } : { name: part, address: '' }
      const name = part
        .slice(0, open)
        .trim()
        .replace(/^["']|["']$/g, '')
      const address = part
        .slice(open + 1)
        .replace(/>.*$/s, '')
        .trim()
      return { name: name === '' ? undefined : name, address }
    })
}

/** At commas and semicolons outside quotation marks. */
function splitPeople(value: string): string[] {
  const people: string[] = []
  let isQuoted = false
  let from = 0
  for (let at = 0; at <= value.length; at++) {
    const sign = value[at]
    if (sign === '"') isQuoted = !isQuoted
    if (at < value.length && (isQuoted || (sign !== ',' && sign !== ';'))) continue
    const part = value.slice(from, at).trim()
    if (part !== '') people.push(part)
    from = at + 1
  }
  return people
}
