import * as z from 'zod'
import type { Replied } from '../http/ask.ts'
import { describedValue, jsonOf } from '../http/described-value.ts'
import { retryAfterMs } from '../http/retry-after.ts'
import { type FailureKind, ProviderFailure } from '../provider-failure.ts'

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
export function repliedValue<S extends z.ZodType>(replied: Replied, schema: S, about: About): z.output<S> {
  if (replied.status !== 200) throw failureOf(replied, about)
  return describedValue(replied, schema, about.what)
}

/** What a refusal means: statuses and codes as on developers.notion.com/reference/status-codes and …/request-limits. */
export function failureOf(replied: Replied, about: About): ProviderFailure {
  const { status, headers, receivedAt } = replied
  const refusal = refusalOf(replied)
  const { kind, why } = meaningOf(status, refusal, about)
  const waits = kind === 'rate_limited' || kind === 'transient'
  const said = [status, refusal?.code].filter((part) => part !== undefined && part !== '').join(' ')
  return new ProviderFailure(kind, `${about.what}: ${why} (${said})`, {
    retryAfterMs: waits ? retryAfterMs(headers, receivedAt) : undefined
  })
}

type Meaning = { kind: FailureKind; why: string }

type Refusal = { code: string; message: string }

function meaningOf(status: number, refusal: Refusal | undefined, about: About): Meaning {
  if (status === 401) return { kind: 'auth_expired', why: 'Notion does not accept the access token' }
  if (status === 429) return { kind: 'rate_limited', why: 'more calls than Notion allows' }
  // A 529 asks for the same patience as a 429, and says for how long likewise.
  if (status === 529) return { kind: 'rate_limited', why: 'Notion is overloaded' }
  if (status === 408 || status === 409 || status >= 500) return { kind: 'transient', why: 'Notion could not answer' }
  if (refusal === undefined) return UNEXPECTED
  if (status === 403) return { kind: 'scope_missing', why: 'the connection may not read content; connect it again' }
  if (status === 404 && about.single) return { kind: 'item_gone', why: 'it is gone, or not shared any more' }
  if (status === 400) return badRequest(refusal, about)
  return UNEXPECTED
}

function badRequest({ code, message }: Refusal, { fromCursor, single }: About): Meaning {
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
function refusalOf({ bytes }: Replied): Refusal | undefined {
  const parsed = ErrorReply.safeParse(jsonOf(bytes))
  if (!parsed.success) return undefined
  const { code, message } = parsed.data
  return { code: /^[a-z_]{1,60}$/.test(code) ? code : '', message }
}
