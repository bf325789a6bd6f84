import { Fault, type FaultCode, type InputFault } from '../contract/faults.ts'
import { fromProblemCode } from '../contract/problem-code.ts'
import type { PlainReply } from '../ports.ts'
import { readText } from './read-text.ts'

/** Maximum size of a problem report in bytes. */
const PROBLEM_BYTES_MAX = 1 << 20

/** Reads the fault from an unsuccessful response. A response that no memctl server sends becomes `broken_transfer`. */
export async function readFault(response: PlainReply): Promise<Fault> {
  const { status } = response
  if (status >= 300 && status < 400) return createRedirectFault(response)
  const problem = isJson(response) ? parseProblem(await readText(response, PROBLEM_BYTES_MAX)) : undefined
  if (problem === undefined) return createForeignFault(response)
  const { code, detail, title, hint, errors } = problem
  const told = [detail, title].find((text) => typeof text === 'string' && text !== '')
  return new Fault(
    parseCode(code) ?? toFaultCode(status),
    String(told ?? `the server responded with status ${status}`),
    {
      hint: typeof hint === 'string' ? hint : undefined,
      errors: parseInputFaults(errors),
      retryAfter: parseRetryAfter(response)
    }
  )
}

type Problem = Readonly<Record<string, unknown>>

function isJson({ headers }: PlainReply): boolean {
  return /^application\/(problem\+)?json\b/i.test(headers.get('content-type') ?? '')
}

/** Returns undefined if the text is not a problem report. */
function parseProblem(text: string): Problem | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** Codes reserved for the client: they describe this program. */
const OURS: ReadonlySet<string> = new Set([
  'cancelled',
  'terminated',
  'warnings',
  'still_pending',
  'sync_failed',
  'unreachable',
  'broken_transfer'
])

function parseCode(code: unknown): FaultCode | undefined {
  const known = fromProblemCode(code)
  return known === undefined || OURS.has(known) ? undefined : known
}

/** The code by status, for a code that this version does not know. */
const BY_STATUS: Readonly<Record<number, FaultCode>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'timed_out',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported_media',
  429: 'rate_limited',
  500: 'internal',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable'
}

function toFaultCode(status: number): FaultCode {
  return BY_STATUS[status] ?? (status >= 500 ? 'unavailable' : 'invalid_input')
}

/** Statuses that a gateway may also send, with a page of its own. */
const OF_GATEWAYS: ReadonlySet<number> = new Set([408, 413, 429, 502, 503, 504])

function createForeignFault(response: PlainReply): Fault {
  const { status } = response
  const type = response.headers.get('content-type') ?? 'no content type'
  if (OF_GATEWAYS.has(status))
    return new Fault(toFaultCode(status), `a proxy or gateway responded with status ${status}`, {
      hint: status === 413 ? 'raise the limit for request bodies of the proxy' : 'try again in a moment',
      retryAfter: parseRetryAfter(response)
    })
  return new Fault('broken_transfer', `the response (status ${status}, ${type}) is not from a memctl server`, {
    hint: 'check that the address is that of a memctl server'
  })
}

function createRedirectFault({ status, headers }: PlainReply): Fault {
  const where = headers.get('location')
  return new Fault(
    'broken_transfer',
    `the server responded with a redirect (status ${status}), which is not followed`,
    {
      hint: where === null ? undefined : `if you trust the target, use it as the server: ${where}`
    }
  )
}

/** Maximum number of input errors that are kept. */
const ERRORS_MAX = 100

function parseInputFaults(errors: unknown): InputFault[] {
  if (!Array.isArray(errors)) return []
  return errors.slice(0, ERRORS_MAX).flatMap((one) => {
    const fits = typeof one?.path === 'string' && typeof one?.message === 'string'
    return fits ? [{ path: one.path, message: one.message }] : []
  })
}

/** Parses seconds. memctl does not use the form with a date. */
function parseRetryAfter({ headers }: PlainReply): number | undefined {
  const text = headers.get('retry-after')
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : undefined
}
