import { Buffer } from 'node:buffer'
import type { OAuthFacts } from '../../providers/provider.ts'
import { readStart, wholeOf } from './body-start.ts'

/** A reply to go on with, and whether it says that the access token is no good. */
export type Judged = { response: Response; isRefused: boolean }

/** How large the reply of a refusal is at most, in bytes: it is a code and hardly more. */
const REFUSAL_BYTES_MAX = 2048

/**
 * Whether a reply refuses the access token: by status 401 (RFC 6750 section 3.1), or in the way of providers that refuse with
 * status 200. Of these a short JSON reply is read beforehand; what is given back has it whole.
 */
export async function judgeReply(
  response: Response,
  { tokenRefusals = [] }: Pick<OAuthFacts, 'tokenRefusals'>
): Promise<Judged> {
  const { status, headers, body } = response
  if (status === 401) return { response, isRefused: true }
  const isJson = headers.get('content-type')?.includes('json') ?? false
  const isLong = Number(headers.get('content-length') ?? 0) > REFUSAL_BYTES_MAX
  if (tokenRefusals.length === 0 || status !== 200 || !isJson || isLong || body === null)
    return { response, isRefused: false }
  const start = await readStart(body, REFUSAL_BYTES_MAX)
  const error = start.rest === undefined ? errorIn(Buffer.concat(start.pieces)) : undefined
  return {
    response: new Response(wholeOf(start), { status, headers }),
    isRefused: error !== undefined && tokenRefusals.includes(error)
  }
}

/** The code of a refusal; undefined of anything else. */
function errorIn(bytes: Buffer): string | undefined {
  try {
    const { ok, error } = JSON.parse(bytes.toString()) as { ok?: unknown; error?: unknown }
    return ok === false && typeof error === 'string' ? error : undefined
  } catch {
    return undefined
  }
}
