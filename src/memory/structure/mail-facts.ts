import type { FactRecord } from '../../contract/snapshot.ts'
import type { FieldBlock } from './block.ts'
import { mailHeaderMeaning } from './mail-header-reader.ts'
import { headerText, peopleIn } from './mail-people.ts'
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

const PEOPLE: ReadonlySet<string> = new Set(['from', 'to', 'cc', 'bcc', 'reply to'])
