import type { FactRecord } from '../../contract/snapshot.ts'
import type { Block, BlockReader, FieldBlock, Range } from './block.ts'
import { readFieldLine } from './field-line.ts'
import { type FactParts, makeFact } from './make-fact.ts'
import { isBlank, readLine, type TextLine } from './text-line.ts'

/** Reads a mail header at the top of a text: at least two known fields, one of them from, to or subject. */
export const readMailHeader: BlockReader = ({ text, line, isFirst }) => {
  if (!isFirst) return undefined
  const fields: FieldBlock[] = []
  let next = line.next
  let at = line
  for (let count = 0; count < LINES_MAX && !isBlank(at); count++) {
    const last = fields.at(-1)
    const header = readHeader(text, at)
    if (header !== undefined) fields.push({ kind: 'field', form: 'mail', start: at.first, end: at.end, ...header })
    else if (last !== undefined && at.indent > 0) extendField(last, at.end)
    else break
    next = at.next
    if (next >= text.length) break
    at = readLine(text, next)
  }
  const meanings = new Set(fields.map(({ key }) => findHeaderMeaning(text.slice(key.start, key.end))))
  const isMail = meanings.size > 1 && (meanings.has('from') || meanings.has('subject'))
  return isMail ? { blocks: fields, next } : undefined
}

/** Returns the English meaning of a header name: `from`, `to`, `subject`, `date`, …; undefined for other names. */
export function findHeaderMeaning(name: string): string | undefined {
  const lower = name.toLowerCase().replace(/\s+/g, ' ')
  return MAIL_HEADER_NAMES.get(lower) ?? (/^x-[\w-]+$/.test(lower) ? 'technical' : undefined)
}

const LINES_MAX = 100

function readHeader(text: string, { first, end }: TextLine): { key: Range; value: Range } | undefined {
  const field = readFieldLine(text, { start: first, end })
  if (field === undefined || field.sign !== ':') return undefined
  const { key, value } = field
  return findHeaderMeaning(text.slice(key.start, key.end)) === undefined ? undefined : { key, value }
}

/** Extends a header field over its indented continuation lines. */
function extendField(field: FieldBlock, end: number): void {
  field.end = end
  field.value.end = end
}

/**
 * Builds the facts of a mail header. The mail, named after its subject, has senders, recipients and a date; each person
 * has an address: `Ann Lee <ann@acme.test>` has the e-mail address ann@acme.test.
 */
export function buildMailFacts(text: string, fields: readonly FieldBlock[], title: string | undefined): FactRecord[] {
  const headers = fields.map((span) => ({
    span,
    value: readHeaderText(text, span.value),
    meaning: findHeaderMeaning(text.slice(span.key.start, span.key.end)) ?? 'technical'
  }))
  const topic = headers.find(({ meaning }) => meaning === 'subject')?.value
  const subject = topic ?? title ?? 'mail'
  const parts = headers.flatMap(({ meaning, value, span }): FactParts[] => {
    if (meaning === 'technical' || (meaning === 'subject' && topic === subject)) return []
    if (!PEOPLE.has(meaning)) return [{ subject, predicate: meaning, value, span, rule: 'mail.header' }]
    return parsePeople(value).flatMap(({ name, address }): FactParts[] => {
      const sent: FactParts = { subject, predicate: meaning, value: name ?? address, span, rule: 'mail.header' }
      const has: FactParts = { subject: name ?? '', predicate: 'email', value: address, span, rule: 'mail.address' }
      return name === undefined || address === '' ? [sent] : [sent, has]
    })
  })
  return parts.map(makeFact).filter((fact) => fact !== undefined)
}

const PEOPLE: ReadonlySet<string> = new Set(['from', 'to', 'cc', 'bcc', 'reply to'])

/** In UTF-16 code units. */
const VALUE_UNITS_MAX = 2_000
const PEOPLE_MAX = 30

/** Returns a header's value; of one that is too long, the complete entries that fit. */
function readHeaderText(text: string, { start, end }: Range): string {
  if (end - start <= VALUE_UNITS_MAX) return text.slice(start, end)
  const cut = text.slice(start, start + VALUE_UNITS_MAX)
  return cut.slice(0, Math.max(0, cut.lastIndexOf(',')))
}

/** A person in a mail header; the address is empty if only a name is given. */
type Person = { name: string | undefined; address: string }

/** Parses `"Lee, Ann" <ann@acme.test>, bob@acme.test`. */
function parsePeople(value: string): Person[] {
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

/** Splits at commas and semicolons outside quotation marks. */
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

/** Returns the writer of a mail: the name in `From`, otherwise the address; undefined if the text has no header. */
export function findMailWriter(text: string, blocks: readonly Block[]): string | undefined {
  for (const block of blocks) {
    if (block.kind !== 'field' || block.form !== 'mail') return undefined
    if (findHeaderMeaning(text.slice(block.key.start, block.key.end)) !== 'from') continue
    const [person] = parsePeople(readHeaderText(text, block.value))
    return person?.name ?? person?.address
  }
  return undefined
}

/** Mail header names in several languages, in lower case, with their meaning. */
const MAIL_HEADER_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    from: 'from|von|de|da|van|från|fra|od|lähettäjä|от|от кого|差出人|发件人|寄件者|보낸 사람',
    to: 'to|an|à|para|a|aan|till|til|do|кому|宛先|收件人|收件者|받는 사람',
    cc: 'cc|kopie|copie|копия|抄送|副本',
    bcc: 'bcc|密送',
    subject:
      'subject|betreff|betr|objet|asunto|assunto|oggetto|onderwerp|ämne|emne|temat|aihe|тема|件名|主题|主旨|제목',
    date: 'date|sent|datum|gesendet|envoyé|enviado|inviato|data|fecha|verzonden|skickat|sendt|дата|отправлено|日時|日期|날짜',
    'reply to': 'reply-to|antwort an',
    technical:
      'message-id|in-reply-to|references|mime-version|content-type|content-transfer-encoding|return-path|received|' +
      'delivered-to|x-mailer|user-agent|list-id|list-unsubscribe|thread-topic|importance|priority|organization'
  }).flatMap(([meaning, names]) => names.split('|').map((name): [string, string] => [name, meaning]))
)
