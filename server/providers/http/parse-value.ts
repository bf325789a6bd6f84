import type { z } from 'zod'
import { ProviderFailure } from '../port/provider-failure.ts'
import type { Replied } from './ask.ts'

/** For messages: what was asked for, as in `the list of files`, and whose it is. */
export type Named = { what: string; service: string }

/**
 * The JSON value of a reply, as its schema describes it.
 *
 * @throws ProviderFailure `transient` where it is no JSON at all, since no provider answers so: something on the way did, and may not the
 * next time. `contract_broken` where it is something else than described.
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
    `${what} is not what ${service} describes${where}: ${issue?.message ?? ''}`
  )
}

/** What is said of a reply that is none of the service's own. */
export function describeForeignReply(bytes: Uint8Array, service: string): string {
  const isPage = /^\s*<(!doctype|html|head|body|\?xml|!--)/i.test(DECODER.decode(bytes.subarray(0, 1024)))
  return isPage
    ? `answered with a web page, which is not of ${service}: a proxy or the sign-in of a network may stand between`
    : `answered by something that is not ${service}`
}

/** The value that bytes are the JSON of; undefined where they are none. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(DECODER.decode(bytes))
  } catch {
    return undefined
  }
}

const DECODER = new TextDecoder()
