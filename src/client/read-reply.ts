/*
 * Not a client library: the row of the endpoint says which replies are valid. `bin/node/http/node-fetch.ts` states why
 * neither undici nor the global fetch sends the request.
 */

import type { CallReply, CallRow } from '../contract/endpoints/call-row.ts'
import { Fault } from '../contract/faults.ts'
import type { PlainReply } from '../ports.ts'
import { readFault } from './read-fault.ts'
import { readText } from './read-text.ts'
import { findSchemaViolation } from './schema-violation.ts'

/** Maximum size of a reply held in memory, in bytes. */
const REPLY_BYTES_MAX = 256 << 20

/**
 * Reads the value of a response to a call of the row, including unknown members. Rejects with the fault that the
 * service reports, or with `broken_transfer` if the response does not match the row.
 */
export async function readReply(row: CallRow, response: PlainReply): Promise<unknown> {
  const { reply, response: sound } = await matchReply(row, response)
  const text = await readText(sound, REPLY_BYTES_MAX)
  if (reply.json === undefined) return text
  const value = parseReply(text)
  const violation = findSchemaViolation(reply.json, value)
  if (violation === undefined) return value
  const { pointer, reason } = violation
  throw createInvalidReplyFault(`${pointer === '' ? 'the whole body' : pointer}: ${reason}`)
}

/** Finds the row's reply that a response matches, and leaves the body unread. Rejects as `readReply` does. */
export async function matchReply<Got extends PlainReply>(
  row: CallRow,
  response: Got
): Promise<{ reply: CallReply; response: Got }> {
  const reply = row.replies.find(({ status }) => status === response.status)
  if (reply !== undefined) return { reply, response }
  throw isRefusal(row, response) ? createRefusedConsentFault(response) : await readFault(response)
}

/** Recognises a page for a browser instead of a problem report. */
function isRefusal({ refusals = [] }: CallRow, { status, headers }: PlainReply): boolean {
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
  return isPage && refusals.some((refusal) => refusal === status)
}

function createRefusedConsentFault({ status }: PlainReply): Fault {
  const denied = status === 403
  return new Fault(denied ? 'consent_denied' : 'consent_failed', `the account was not linked (${status})`, {
    hint: 'get the reason from the attempt: GET /v1/connectors/attempts?state=STATE'
  })
}

function parseReply(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw createInvalidReplyFault('it is not valid JSON', cause)
  }
}

function createInvalidReplyFault(why: string, cause?: unknown): Fault {
  return new Fault('broken_transfer', `unexpected response: ${why}`, {
    hint: 'check that the address is that of a memctl server with the same version',
    cause
  })
}
