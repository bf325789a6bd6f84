import type { z } from 'zod'
import { ProviderFailure } from '../provider-failure.ts'
import type { Replied } from './ask.ts'

/**
 * The JSON value of a reply, as its schema describes it.
 *
 * @throws ProviderFailure `contract_broken` where it is something else; `what` names it, as in `the list of files`.
 */
export function describedValue<S extends z.ZodType>(
  { bytes }: Pick<Replied, 'bytes'>,
  schema: S,
  what: string
): z.output<S> {
  const parsed = schema.safeParse(jsonOf(bytes))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.').slice(0, 100)}`
  throw new ProviderFailure(
    'contract_broken',
    `${what} is not what the provider describes${where}: ${issue?.message ?? ''}`
  )
}

/** The value that bytes are the JSON of; undefined where they are none. */
export function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(DECODER.decode(bytes))
  } catch {
    return undefined
  }
}

const DECODER = new TextDecoder()
