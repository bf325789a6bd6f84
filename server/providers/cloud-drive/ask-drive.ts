import type { z } from 'zod'
import { type Asked, ask, type Replied } from '../http/ask.ts'
import { describedValue } from '../http/described-value.ts'
import type { ProviderCall } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { CLOUD_DRIVE_FACTS } from './facts.ts'
import { failureOf, type Subject } from './failure-of.ts'

type Question<S> = {
  path: string
  query?: NonNullable<Asked['query']>
  reply: S
  /** What the reply is called in a message, as in `the list of files`. */
  what: string
  subject?: Subject
}

/**
 * A reply of Drive as its schema has it.
 *
 * @throws ProviderFailure by `failureOf`, or by `describedValue` where it is something else.
 */
export async function askDrive<S extends z.ZodType>(call: ProviderCall, asked: Question<S>): Promise<z.output<S>> {
  const bytes = await askBytes(call, asked)
  return describedValue({ bytes }, asked.reply, { what: asked.what, service })
}

/** The body of a reply as it is: for content. */
export async function askBytes(call: ProviderCall, asked: Plain): Promise<Uint8Array> {
  return bytesOf(asked, await askPlain(call, asked))
}

/** A reply whatever it says, for those who can do without. */
export function askPlain(call: ProviderCall, asked: Plain): Promise<Replied> {
  return ask(call, requestOf(asked))
}

/** The body of a reply that is what was asked for. */
export function bytesOf({ what, subject = 'account' }: Plain, replied: Replied): Uint8Array {
  const failure = failureOf(replied, { what, subject })
  if (failure !== undefined) throw failure
  return replied.bytes
}

/** A reply with a status that is right and a body that is not: something on the way answered instead of Drive, and may not next time. */
export function standsIn({ what }: Plain, why: string): ProviderFailure {
  return new ProviderFailure('transient', `${what}: what came in its place was ${why}`)
}

type Plain = Omit<Question<unknown>, 'reply'> & { bytesMax?: number }

function requestOf({ path, query, bytesMax }: Plain): Asked {
  return { service, method: 'GET', path: `/drive/v3${path}`, query: query ?? {}, ...(bytesMax && { bytesMax }) }
}

const { service } = CLOUD_DRIVE_FACTS

/** Without them, Drive behaves as if there were no shared drives. */
export const ALL_DRIVES = { supportsAllDrives: true, includeItemsFromAllDrives: true } as const

/** Where files of a folder are searched for: its shared drive, or what the account has of its own and was given. */
export function corpusOf(driveId: string | undefined) {
  return driveId === undefined ? { corpora: 'user' } : { corpora: 'drive', driveId }
}

/** An id in a query, in its quotes (https://developers.google.com/workspace/drive/api/guides/search-files: `\` escapes). */
export function quoted(id: string): string {
  return `'${id.replace(/[\\']/g, '\\$&')}'`
}
