import type { FactRecord } from '../../contract/snapshot.ts'
import type { FieldBlock, Range } from './block.ts'
import { mailHeaderMeaning } from './mail-header-reader.ts'
import { type FactParts, makeFact } from './make-fact.ts'

/**
 * What the head of a mail says: of the mail, named after its subject, who sent it to whom and when; of the people in it,
 * their addresses. `Ann Lee <ann@acme.test>` has the e-mail address ann@acme.test.
 */
export function mailFacts(text: string, fields: readonly FieldBlock[], title: string | undefined): FactRecord[] {
  const headers = fields.map((span) => ({
    span,
    value: headerText(text, span.value),
    meaning: mailHeaderMeaning(text.slice(span.key.start, span.key.end)) ?? 'technical'
  }))
  const topic = headers.find(({ meaning }) => meaning === 'subject')?.value
  const subject = topic ?? title ?? 'mail'
  const parts = headers.flatMap(({ meaning, value, span }): FactParts[] => {
    if (meaning === 'technical' || (meaning === 'subject' && topic === subject)) return []
    if (!PEOPLE.has(meaning)) return [{ subject, predicate: meaning, value, span, rule: 'mail.header' }]
    return peopleIn(value).flatMap(({ name, address }): FactParts[] => {
      const sent: FactParts = { subject, predicate: meaning, value: name ?? address, span, rule: 'mail.header' }
      const has: FactParts = { subject: name ?? '', predicate: 'email', value: address, span, rule: 'mail.address' }
      return name === undefined || address === '' ? [sent] : [sent, has]
    })
  })
  return parts.map(makeFact).filter((fact) => fact !== undefined)
}

/** The person who wrote a mail: the name in its `From`, else the address. */
export function mailWriter(text: string, fields: readonly FieldBlock[]): string | undefined {
  const from = fields.find(({ key }) => mailHeaderMeaning(text.slice(key.start, key.end)) === 'from')?.value
  if (from === undefined) return undefined
  const [person] = peopleIn(headerText(text, from))
  return person === undefined ? undefined : (person.name ?? person.address)
}

const VALUE_UNITS_MAX = 2_000
const PEOPLE_MAX = 30
const PEOPLE: ReadonlySet<string> = new Set(['from', 'to', 'cc', 'bcc', 'reply to'])

/** A header's value; of one that is too long, the whole entries that fit. */
function headerText(text: string, { start, end }: Range): string {
  if (end - start <= VALUE_UNITS_MAX) return text.slice(start, end)
  const cut = text.slice(start, start + VALUE_UNITS_MAX)
  return cut.slice(0, Math.max(0, cut.lastIndexOf(',')))
}

type Person = { name: string | undefined; address: string }

/** `"Lee, Ann" <ann@acme.test>, bob@acme.test` */
function peopleIn(value: string): Person[] {
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
