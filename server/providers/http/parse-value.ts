import type { z } from 'zod'
import { ProviderFailure } from '../port/provider-failure.ts'
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
  { bytes }: Pick<Replied, 'bytes'>,
  schema: S,
  { what, service }: Named
): z.output<S> {
  const value = parseJson(bytes)
  if (value === undefined) throw new ProviderFailure('transient', `${what}: ${describeForeignReply(bytes, service)}`)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.').slice(0, 100)}`
  throw new ProviderFailure(
    'contract_broken',
    `${what} does not match the documentation of ${service}${where}: ${issue?.message ?? ''}`
  )
}

/** Describes a reply that does not come from the service. */
export function describeForeignReply(bytes: Uint8Array, service: string): string {
  const isPage = /^\s*<(!doctype|html|head|body|\?xml|!--)/i.test(DECODER.decode(bytes.subarray(0, 1024)))
  return isPage
    ? `the response is a web page that is not from ${service}, possibly from a proxy or the sign-in page of a network`
    : `the response is not from ${service}`
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
