import type { z } from 'zod'
import { type FailureKind, ProviderFailure } from '../port/provider-failure.ts'
import type { Replied } from './ask.ts'

/** The names of the request (such as `the list of files`) and of the service in messages. */
export type Named = { what: string; service: string }

/**
 * Parses the JSON of a reply by its schema.
 *
 * @throws ProviderFailure `transient` if the reply is not JSON: no provider replies so, and a retry may succeed.
 * `contract_broken` if it does not match the schema.
 */
export function parseValue<S extends z.ZodType>(
  replied: Pick<Replied, 'bytes' | 'from'>,
  schema: S,
  { what, service }: Named
): z.output<S> {
  const value = parseJson(replied.bytes)
  if (value === undefined) throw new ProviderFailure('transient', `${what}: ${describeForeignReply(replied, service)}`)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.').slice(0, 100)}`
  throw new ProviderFailure(
    'contract_broken',
    `${what} does not match the documentation of ${service}${where}: ${issue?.message ?? ''}${replied.from === undefined ? '' : ` (${replied.from})`}`
  )
}

/** Returns the URL that sent an undocumented reply, for the middle of a sentence; nothing for other failures. */
export function nameSource(kind: FailureKind, { from }: Pick<Replied, 'from'>): string {
  return kind === 'contract_broken' && from !== undefined ? ` to ${from}` : ''
}

/** Describes a reply that does not come from the service, with the URL that sent it. */
export function describeForeignReply({ bytes, from }: Pick<Replied, 'bytes' | 'from'>, service: string): string {
  const isPage = /^\s*<(!doctype|html|head|body|\?xml|!--)/i.test(DECODER.decode(bytes.subarray(0, 1024)))
  const response = from === undefined ? 'the response' : `the response of ${from}`
  return isPage
    ? `${response} is a web page that is not from ${service}, possibly from a proxy or the sign-in page of a network`
    : `${response} is not from ${service}`
}

/** Parses JSON bytes, or returns undefined if they are invalid. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(DECODER.decode(bytes))
  } catch {
    return undefined
  }
}

const DECODER = new TextDecoder()
