import type { StoredMessage } from './content.ts'
import { allParts, getHeader, parseMime } from './mime.ts'
import { readWords } from './views.ts'

export type MessageTest = (message: StoredMessage) => boolean

/**
 * Parses the most common search operators of `q` (support.google.com/mail/answer/7190). Returns undefined for any other
 * operator, because treating it as a word would give wrong results.
 */
export function searchQuery(q: string): MessageTest | undefined {
  const tests: MessageTest[] = []
  for (const term of q.match(/-?(?:[a-z0-9_]+:)?(?:"[^"]*"|\S+)/gi) ?? []) {
    const test = termTest(term.replace(/^-/, ''))
    if (test === undefined) return undefined
    tests.push(term.startsWith('-') ? (message) => !test(message) : test)
  }
  return (message) => tests.every((test) => test(message))
}

/** Reports whether a query names a place, so that trash and spam are included. */
export function looksEverywhere(q: string): boolean {
  return /(?:^|\s)(?:in|label):(?:anywhere|spam|trash)\b/i.test(q)
}

function termTest(term: string): MessageTest | undefined {
  const [, operator, said] = /^([a-z0-9_]+):(.*)$/is.exec(term) ?? []
  const value = (said ?? term).replaceAll('"', '').toLowerCase()
  if (operator === undefined) return (message) => findWords(message).includes(value)
  return OPERATORS[operator.toLowerCase()]?.(value)
}

type Operator = (value: string) => MessageTest | undefined

const OPERATORS: Readonly<Record<string, Operator>> = {
  in: withLabel,
  label: withLabel,
  is: (value) => (value === 'read' ? (message) => !message.labels.includes('UNREAD') : withLabel(value)),
  from: (value) => withHeader('from', value),
  to: (value) => withHeader('to', value),
  subject: (value) => withHeader('subject', value),
  rfc822msgid: (value) => withHeader('message-id', value),
  has: (value) =>
    value === 'attachment' ? ({ raw }) => allParts(parseMime(raw)).some(({ filename }) => filename !== '') : undefined,
  after: (value) => onTime(value, (at, time) => at >= time),
  before: (value) => onTime(value, (at, time) => at < time)
}

/** Names in the web client, if they differ from the label's id. */
const PLACES: Readonly<Record<string, string>> = { drafts: 'DRAFT', chats: 'CHAT' }

function withLabel(value: string): MessageTest {
  if (value === 'anywhere') return () => true
  const label = PLACES[value] ?? value.toUpperCase()
  return ({ labels }) => labels.some((one) => one.toUpperCase() === label)
}

function withHeader(name: string, value: string): MessageTest {
  return ({ raw }) => (getHeader(parseMime(raw), name) ?? '').toLowerCase().includes(value)
}

/** Parses a day such as `2026/03/01`, or seconds since 1970. */
function onTime(value: string, holds: (at: number, time: number) => boolean): MessageTest | undefined {
  const time = /^\d{9,11}$/.test(value) ? Number(value) * 1000 : Date.parse(`${value.replaceAll('/', '-')}T00:00:00Z`)
  return Number.isNaN(time) ? undefined : ({ at }) => holds(at, time)
}

function findWords({ raw }: StoredMessage): string {
  const tree = parseMime(raw)
  return `${getHeader(tree, 'subject') ?? ''} ${getHeader(tree, 'from') ?? ''} ${readWords(tree)}`.toLowerCase()
}
