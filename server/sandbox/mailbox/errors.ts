import type { RefusalCause, UnknownParameter } from '../core/sandbox-provider.ts'

/** The members of a Google API error beside its status. */
export type GoogleError = { status: number; message: string; reason: string; domain?: string; detail?: string }

/**
 * Builds an error in the format of Google's APIs: the older list with a `reason`, the newer `status`, and an optional
 * `ErrorInfo` (developers.google.com/workspace/gmail/api/guides/handle-errors, cloud.google.com/apis/design/errors).
 */
export function googleError(error: GoogleError, headers: Readonly<Record<string, string>> = {}): Response {
  const { status, message, reason, domain = 'global', detail } = error
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: detail, domain: 'googleapis.com' }
  const body = {
    error: {
      code: status,
      message,
      errors: [{ message, domain, reason }],
      status: STATUS_NAMES[status] ?? 'UNKNOWN',
      ...(detail !== undefined && { details: [info] })
    }
  }
  return Response.json(body, { status, headers: { 'cache-control': 'private', ...headers } })
}

export const NOT_FOUND: GoogleError = { status: 404, message: 'Requested entity was not found.', reason: 'notFound' }

/** Builds a 400 for a parameter. */
export function invalidArgument(message: string): Response {
  return googleError({ status: 400, message, reason: 'invalidArgument' })
}

/** Builds the error for a parameter that the operation does not have. */
export function unknownParameter({ name }: UnknownParameter): Response {
  const why = `Cannot bind query parameter. Field '${name}' could not be found in request message.`
  return invalidArgument(`Invalid JSON payload received. Unknown name "${name}": ${why}`)
}

/** Builds the refusal for a requested fault, an invalid token or an unknown path. */
export function refusal({ status, reason, retryAfter, token }: RefusalCause): Response {
  const headers = { ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) }
  if (reason === 'unauthorized') {
    const challenge = `Bearer realm="https://accounts.google.com/"${token === 'absent' ? '' : ', error="invalid_token"'}`
    return googleError(
      { status, message: 'Invalid Credentials', reason: 'authError' },
      { ...headers, 'www-authenticate': challenge }
    )
  }
  if (reason === 'not_found') return googleError({ ...NOT_FOUND, status }, headers)
  if (reason === 'rate_limited') return googleError(toLimitError(status), headers)
  const message = reason === 'overloaded' ? 'The service is currently unavailable.' : 'Internal error encountered.'
  return googleError({ status, message, reason: 'backendError' }, headers)
}

/** Builds a rate limit error. Limits of an account have status 403, too many concurrent requests 429. */
function toLimitError(status: number): GoogleError {
  if (status === 403)
    return { status, message: 'User Rate Limit Exceeded', reason: 'userRateLimitExceeded', domain: 'usageLimits' }
  return {
    status,
    message: 'Too many concurrent requests for user.',
    reason: 'rateLimitExceeded',
    domain: 'usageLimits'
  }
}

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE'
}
