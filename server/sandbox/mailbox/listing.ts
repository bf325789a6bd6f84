import type { StoredMessage } from './content.ts'
import { invalidArgument } from './google-error.ts'
import { type MailCall, mayRead } from './mail-call.ts'
import { pageSize, pageToken, placeOf } from './page-token.ts'
import { looksEverywhere, type MessageTest, searchQuery } from './search-query.ts'

export type Slice = { found: readonly StoredMessage[]; next: string | undefined; total: number }

/**
 * A page of what a list asks for, newest first, or the refusal. `pick` reduces all that was found to what is paged through.
 * Two faults are carried out here: `lag` leaves out the last that many to arrive, `repeat_cursor` names the same page as the next.
 */
export function listing(
  call: MailCall,
  kind: string,
  pick: (found: StoredMessage[]) => StoredMessage[] = (found) => found
): Slice | Response {
  const { query } = call
  const size = pageSize(query)
  const token = query.get('pageToken')
  const place = token === null ? [] : placeOf(kind, token)
  const test = testOf(call)
  if (size === undefined) return invalidArgument('Invalid value at maxResults')
  if (place === undefined) return invalidArgument('Invalid pageToken')
  if (test instanceof Response) return test
  const arrived = [...call.mail.messages.values()]
  const known = arrived.slice(0, Math.max(0, arrived.length - (call.fault('lag')?.value ?? 0)))
  const shown = pick(known.filter(test).sort(newestFirst))
  const from = token === null ? shown : shown.filter((message) => isBehind(message, place))
  const found = from.slice(0, size)
  const last = found.at(-1)
  const more = from.length > found.length && last !== undefined
  const next = more ? pageToken(kind, [String(last.at), String(last.place)]) : undefined
  const repeated = call.fault('repeat_cursor') === undefined ? undefined : (token ?? next)
  return { found, next: repeated ?? next, total: shown.length }
}

function testOf(call: MailCall): MessageTest | Response {
  const { query } = call
  const q = query.get('q') ?? ''
  if (q !== '' && !mayRead(call)) return invalidArgument("Metadata scope does not support 'q' parameter")
  const asked = searchQuery(q)
  if (asked === undefined) return invalidArgument('This stand-in does not know an operator of q')
  const labels = query.getAll('labelIds')
  const hidden = ['SPAM', 'TRASH'].filter((label) => !labels.includes(label))
  const all = query.get('includeSpamTrash') === 'true' || looksEverywhere(q)
  return (message) =>
    labels.every((label) => message.labels.includes(label)) &&
    (all || !hidden.some((label) => message.labels.includes(label))) &&
    asked(message)
}

function newestFirst(a: StoredMessage, b: StoredMessage): number {
  return b.at - a.at || b.place - a.place
}

/** A page begins behind the last message of the one before, whether that still exists or not. */
function isBehind({ at, place }: StoredMessage, [time, after]: readonly string[]): boolean {
  return at < Number(time) || (at === Number(time) && place < Number(after))
}
