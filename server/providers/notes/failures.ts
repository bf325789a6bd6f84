import * as z from 'zod'
import type { Replied } from '../http/ask.ts'
import { describeForeignReply, nameSource, parseJson, parseValue } from '../http/parse-value.ts'
import { readRetryAfter } from '../http/read-retry-after.ts'
import { type FailureKind, ProviderFailure } from '../port/provider-failure.ts'
import { FACTS } from './facts.ts'

/** The subject of a call, which decides what a refusal means. */
export type About = {
  /** Its name in messages, such as `the search`. */
  what: string
  /** The call concerned one page, block or database, so a failure does not affect others. */
  single?: boolean
  /** The call used a cursor from an earlier page. */
  fromCursor?: boolean
}

/**
 * Parses the value of a reply.
 *
 * @throws ProviderFailure for a refusal, or if the reply does not match its schema.
 */
export function parseReply<S extends z.ZodType>(replied: Replied, schema: S, about: About): z.output<S> {
  if (replied.status !== 200) throw toFailure(replied, about)
  return parseValue(replied, schema, { what: about.what, service })
}

const { service } = FACTS

/** Classifies a refusal. Statuses and codes: developers.notion.com/reference/status-codes and …/request-limits. */
export function toFailure(replied: Replied, about: About): ProviderFailure {
  const { status, headers, receivedAt } = replied
  const refusal = parseRefusal(replied)
  const { kind, why } = classifyReply(status, refusal, about) ?? {
    kind: 'transient',
    why: describeForeignReply(replied, service)
  }
  const waits = kind === 'rate_limited' || kind === 'transient'
  const said = [status, refusal?.code].filter((part) => part !== undefined && part !== '').join(' ')
  return new ProviderFailure(kind, `${about.what}: ${why}${nameSource(kind, replied)} (${said})`, {
    retryAfterMs: waits ? readRetryAfter(headers, receivedAt) : undefined
  })
}

type Meaning = { kind: FailureKind; why: string }

type Refusal = { code: string; message: string }

/**
 * Classifies a reply. Returns undefined if it does not come from Notion: it says nothing about the request, and a retry
 * may succeed.
 */
function classifyReply(status: number, refusal: Refusal | undefined, about: About): Meaning | undefined {
  if (status === 401) return { kind: 'auth_expired', why: 'Notion does not accept the access token' }
  if (status === 429) return { kind: 'rate_limited', why: 'Notion limits the number of calls' }
  // A 529 specifies a wait in the same way as a 429.
  if (status === 529) return { kind: 'rate_limited', why: 'Notion is overloaded' }
  if (status === 408 || status === 409 || status >= 500) return NO_ANSWER
  if (refusal === undefined) return undefined
  if (status === 403) return { kind: 'scope_missing', why: 'the connection may not read content; connect it again' }
  if (status === 404) return classifyMissing(refusal, about)
  if (status === 400) return classifyBadRequest(refusal, about)
  return UNEXPECTED
}

/** Classifies a missing page. Only Notion's own code counts, because the sync deletes pages that are gone. */
function classifyMissing({ code }: Refusal, { single }: About): Meaning {
  if (code !== 'object_not_found') return NO_ANSWER
  return single ? { kind: 'item_gone', why: 'it was deleted or is no longer shared' } : UNEXPECTED
}

const NO_ANSWER: Meaning = { kind: 'transient', why: 'Notion could not respond' }

function classifyBadRequest({ code, message }: Refusal, { fromCursor, single }: About): Meaning {
  if (code !== 'validation_error') return UNEXPECTED
  if (fromCursor && /cursor/i.test(message))
    return { kind: 'cursor_invalid', why: 'Notion no longer accepts the page token' }
  return single ? { kind: 'item_permanent', why: 'Notion cannot return it in this form' } : UNEXPECTED
}

const UNEXPECTED: Meaning = { kind: 'contract_broken', why: 'Notion sent an undocumented response' }

const ErrorReply = z.looseObject({
  object: z.literal('error'),
  code: z.string(),
  message: z.string().default('')
})

/** Parses a refusal, or returns undefined if it does not come from Notion. */
function parseRefusal({ bytes }: Replied): Refusal | undefined {
  const parsed = ErrorReply.safeParse(parseJson(bytes))
  if (!parsed.success) return undefined
  const { code, message } = parsed.data
  return { code: /^[a-z_]{1,60}$/.test(code) ? code : '', message }
}
