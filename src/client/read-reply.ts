import type { CallReply, CallRow } from '../contract/endpoints/call-row.ts'
import { Fault } from '../contract/faults.ts'
import type { PlainReply } from '../ports.ts'
import { readFault } from './read-fault.ts'
import { readText } from './read-text.ts'
import { findSchemaViolation } from './schema-violation.ts'

/** No reply that is held as a whole is larger. In bytes. */
const REPLY_BYTES_MAX = 256 << 20

/**
 * What a response means for a call of the row: its value, the members that nobody here knows included. Rejects with the
 * fault that the service tells of, or with `broken_transfer` where the answer is no answer of it.
 */
export async function readReply(row: CallRow, response: PlainReply): Promise<unknown> {
  const { reply, response: sound } = await matchReply(row, response)
  const text = await readText(sound, REPLY_BYTES_MAX)
  if (reply.json === undefined) return text
  const value = parseReply(text)
  const misfit = findSchemaViolation(reply.json, value)
  if (misfit === undefined) return value
  throw createStrangeReplyFault(`${misfit.pointer === '' ? 'the whole of it' : misfit.pointer}: ${misfit.reason}`)
}

/** The reply of the row that a response is, its body unread. Rejects as `readReply` does. */
export async function matchReply<Got extends PlainReply>(
  row: CallRow,
  response: Got
): Promise<{ reply: CallReply; response: Got }> {
  const reply = row.replies.find(({ status }) => status === response.status)
  if (reply !== undefined) return { reply, response }
  throw isRefusal(row, response) ? createRefusedConsentFault(response) : await readFault(response)
}

/** A page that a person would read in a browser, in place of a report of a failure. */
function isRefusal({ refusals = [] }: CallRow, { status, headers }: PlainReply): boolean {
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
  return isPage && refusals.some((refusal) => refusal === status)
}

function createRefusedConsentFault({ status }: PlainReply): Fault {
  const denied = status === 403
  return new Fault(denied ? 'consent_denied' : 'consent_failed', `the account was not linked (${status})`, {
    hint: 'the attempt says why: ask for it by its state'
  })
}

function parseReply(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw createStrangeReplyFault('it is no JSON', cause)
  }
}

function createStrangeReplyFault(why: string, cause?: unknown): Fault {
  return new Fault('broken_transfer', `what came is no answer of memctl: ${why}`, {
    hint: 'check that the address is that of a memctl server, of this version',
    cause
  })
}
