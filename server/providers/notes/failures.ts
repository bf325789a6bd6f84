import * as z from 'zod'
import type { Replied } from '../http/ask.ts'
import { describeForeignReply, parseJson, parseValue } from '../http/parse-value.ts'
import { readRetryAfter } from '../http/read-retry-after.ts'
import { type FailureKind, ProviderFailure } from '../port/provider-failure.ts'
import { FACTS } from './facts.ts'

/** What a call was about: it says what a refusal means. */
export type About = {
  /** For messages, as in `the search`. */
  what: string
  /** It was about one page, block or database: what is wrong with it is wrong with no other. */
  single?: boolean
  /** The call went on from a cursor that an earlier page gave. */
  fromCursor?: boolean
}

/**
 * The value of a reply.
 *
 * @throws ProviderFailure for a refusal, or where it is not what its schema describes.
 */
export function parseReply<S extends z.ZodType>(replied: Replied, schema: S, about: About): z.output<S> {
  if (replied.status !== 200) throw toFailure(replied, about)
  return parseValue(replied, schema, { what: about.what, service })
}

const { service } = FACTS

/** What a refusal means: statuses and codes as on developers.notion.com/reference/status-codes and …/request-limits. */
export function toFailure(replied: Replied, about: About): ProviderFailure {
  const { status, headers, bytes, receivedAt } = replied
  const refusal = parseRefusal(replied)
  const { kind, why } = classifyReply(status, refusal, about) ?? {
    kind: 'transient',
    why: describeForeignReply(bytes, service)
  }
  const waits = kind === 'rate_limited' || kind === 'transient'
  const said = [status, refusal?.code].filter((part) => part !== undefined && part !== '').join(' ')
  return new ProviderFailure(kind, `${about.what}: ${why} (${said})`, {
    retryAfterMs: waits ? readRetryAfter(headers, receivedAt) : undefined
  })
}

type Meaning = { kind: FailureKind; why: string }

type Refusal = { code: string; message: string }

/** Undefined where it is no answer of Notion's own: it says nothing of what was asked for, and may pass. */
function classifyReply(status: number, refusal: Refusal | undefined, about: About): Meaning | undefined {
  if (status === 401) return { kind: 'auth_expired', why: 'Notion does not accept the access token' }
  if (status === 429) return { kind: 'rate_limited', why: 'more calls than Notion allows' }
  // A 529 asks for the same patience as a 429, and says for how long likewise.
  if (status === 529) return { kind: 'rate_limited', why: 'Notion is overloaded' }
  if (status === 408 || status === 409 || status >= 500) return NO_ANSWER
  if (refusal === undefined) return undefined
  if (status === 403) return { kind: 'scope_missing', why: 'the connection may not read content; connect it again' }
  if (status === 404) return classifyMissing(refusal, about)
  if (status === 400) return classifyBadRequest(refusal, about)
  return UNEXPECTED
}

/** Pages are deleted here by what is called gone: only Notion's own code for that counts. */
function classifyMissing({ code }: Refusal, { single }: About): Meaning {
  if (code !== 'object_not_found') return NO_ANSWER
  return single ? { kind: 'item_gone', why: 'it is gone, or not shared any more' } : UNEXPECTED
}

const NO_ANSWER: Meaning = { kind: 'transient', why: 'Notion could not answer' }

function classifyBadRequest({ code, message }: Refusal, { fromCursor, single }: About): Meaning {
  if (code !== 'validation_error') return UNEXPECTED
  if (fromCursor && /cursor/i.test(message))
    return { kind: 'cursor_invalid', why: 'Notion does not know the next page any more' }
  return single ? { kind: 'item_permanent', why: 'Notion does not show it this way' } : UNEXPECTED
}

const UNEXPECTED: Meaning = { kind: 'contract_broken', why: 'an answer that Notion does not describe' }

const ErrorReply = z.looseObject({
  object: z.literal('error'),
  code: z.string(),
  message: z.string().default('')
})

/** Undefined where it is no refusal of Notion's own. */
function parseRefusal({ bytes }: Replied): Refusal | undefined {
  const parsed = ErrorReply.safeParse(parseJson(bytes))
  if (!parsed.success) return undefined
  const { code, message } = parsed.data
  return { code: /^[a-z_]{1,60}$/.test(code) ? code : '', message }
}
