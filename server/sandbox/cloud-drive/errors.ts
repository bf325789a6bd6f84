import type { RefusalCause, UnknownParameter } from '../core/sandbox-provider.ts'

export type GoogleError = {
  status: number
  reason: string
  message: string
  /** The parameter with an invalid value. */
  parameter?: string
  headers?: Readonly<Record<string, string>>
}

/** Builds an error in Drive's format (https://developers.google.com/workspace/drive/api/guides/handle-errors). */
export function googleError({ status, reason, message, parameter, headers = {} }: GoogleError): Response {
  const where = parameter === undefined ? {} : { locationType: 'parameter', location: parameter }
  const domain = /[Ll]imitExceeded$/.test(reason) ? 'usageLimits' : 'global'
  const errors = [{ domain, reason, message, ...where }]
  return Response.json({ error: { code: status, message, errors } }, { status, headers })
}

/** Builds Drive's error for a file that does not exist, or that is not shared. */
export function fileNotFound(id: string): Response {
  return googleError({ status: 404, reason: 'notFound', message: `File not found: ${id}.`, parameter: 'fileId' })
}

/** Builds the error for an invalid parameter value. */
export function invalidValue(parameter: string): Response {
  return googleError({ status: 400, reason: 'invalid', message: 'Invalid Value', parameter })
}

/** Builds the error for an invalid `fields` selection. */
export function invalidFields(selection: string): Response {
  const message = `Invalid field selection ${selection.slice(0, 100)}`
  return googleError({ status: 400, reason: 'invalidParameter', message, parameter: 'fields' })
}

/** Builds the error for a parameter that the operation does not have. */
export function unknownParameter({ name }: UnknownParameter): Response {
  const message = `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter.`
  return googleError({ status: 400, reason: 'badRequest', message, parameter: name })
}

/** Builds the refusal that the core requests. */
export function refusal({ status, reason, retryAfter }: RefusalCause): Response {
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return googleError({ status, ...REFUSALS[reason], headers })
}

const REFUSALS: Readonly<Record<RefusalCause['reason'], { reason: string; message: string }>> = {
  rate_limited: { reason: 'rateLimitExceeded', message: 'Rate Limit Exceeded' },
  unauthorized: { reason: 'authError', message: 'Invalid Credentials' },
  server_error: { reason: 'backendError', message: 'Backend Error' },
  overloaded: { reason: 'backendError', message: 'The service is currently unavailable.' },
  not_found: { reason: 'notFound', message: 'Not Found' }
}
