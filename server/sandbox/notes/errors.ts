import { createHash } from 'node:crypto'
import type { RefusalCause, UnknownParameter } from '../core/sandbox-provider.ts'

/** Builds a reply with a request id, which all replies have. */
export function reply(value: Record<string, unknown>): Response {
  return Response.json({ ...value, request_id: toRequestId(JSON.stringify(value).slice(0, 1000)) })
}

/** Builds an error. Codes and messages: developers.notion.com/reference/status-codes. */
export function refuse(status: number, code: string, message: string): Response {
  const body = { object: 'error', status, code, message, request_id: toRequestId(`${code} ${message}`) }
  return Response.json(body, { status })
}

/** Builds the error for an object that does not exist or is not shared. */
export function notFound(what: string, id: string): Response {
  const help = 'Make sure the relevant pages and databases are shared with your integration.'
  return refuse(404, 'object_not_found', `Could not find ${what} with ID: ${id}. ${help}`)
}

/** Builds the error for an invalid request. */
export function invalid(message: string): Response {
  return refuse(400, 'validation_error', message)
}

/** Builds the error for a parameter that the operation does not have. */
export function unknownParameter({ where, name, value }: UnknownParameter): Response {
  return invalid(`${where} failed validation: ${where}.${name} ${notPresent(value)}`)
}

/** Returns Notion's message for an unexpected member. */
export function notPresent(value: unknown): string {
  return `should be not present, instead was \`${JSON.stringify(value)?.slice(0, 100)}\`.`
}

/**
 * Builds the error of a requested fault. An unknown path is a 400, as in the real API. A 529 is `service_overload`; a
 * 503 has another code.
 */
export function refusal({ status, reason, retryAfter }: RefusalCause): Response {
  const [actual, code, message] = SAID[reason]
  const said = reason === 'overloaded' && status === 529 ? 'service_overload' : code
  const response = refuse(actual ?? status, said, message)
  if (retryAfter !== undefined) response.headers.set('retry-after', String(retryAfter))
  return response
}

const SAID: Readonly<Record<RefusalCause['reason'], [status: number | undefined, code: string, message: string]>> = {
  rate_limited: [undefined, 'rate_limited', 'You have been rate limited. Please try again in a few minutes.'],
  unauthorized: [401, 'unauthorized', 'API token is invalid.'],
  server_error: [undefined, 'internal_server_error', 'Unexpected error occurred.'],
  overloaded: [undefined, 'service_unavailable', 'Service unavailable. Please try again later.'],
  not_found: [400, 'invalid_request_url', 'Invalid request URL.']
}

function toRequestId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-'
  )
}
