import type { z } from 'zod'
import { type Asked, ask, type Replied } from '../http/ask.ts'
import { parseValue } from '../http/parse-value.ts'
import type { Account, ProviderCall } from '../port/provider.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { FACTS } from './facts.ts'
import { type Subject, toFailure } from './failures.ts'
import { About, DriveFile, FILE_FIELDS, StartPageToken } from './wire.ts'

type Question<S> = {
  path: string
  query?: NonNullable<Asked['query']>
  reply: S
  /** The name of the reply in a message, such as `the list of files`. */
  what: string
  subject?: Subject
}

/**
 * Sends a request and parses the reply by its schema.
 *
 * @throws ProviderFailure as `toFailure`, or as `parseValue` if the reply does not match.
 */
export async function askDrive<S extends z.ZodType>(call: ProviderCall, asked: Question<S>): Promise<z.output<S>> {
  const replied = await sendRequest(call, asked)
  unwrapBytes(asked, replied)
  return parseValue(replied, asked.reply, { what: asked.what, service })
}

/** Sends a request and returns the reply, whatever its status. */
export function sendRequest(call: ProviderCall, { path, query, bytesMax }: Plain): Promise<Replied> {
  return ask(call, {
    service,
    method: 'GET',
    path: `/drive/v3${path}`,
    query: query ?? {},
    ...(bytesMax && { bytesMax })
  })
}

/**
 * Returns the body of a successful reply.
 *
 * @throws ProviderFailure
 */
export function unwrapBytes({ what, subject = 'account' }: Plain, replied: Replied): Uint8Array {
  const failure = toFailure(replied, { what, subject })
  if (failure !== undefined) throw failure
  return replied.bytes
}

/**
 * Builds the failure for a reply with a correct status and a wrong body. Something other than Drive replied, so a retry
 * may succeed.
 */
export function wrongBodyFailure({ what }: Plain, why: string): ProviderFailure {
  return new ProviderFailure('transient', `${what}: the response cannot be used, because ${why}`)
}

type Plain = Omit<Question<unknown>, 'reply'> & { bytesMax?: number }

const { service } = FACTS

/** Without these parameters, Drive ignores shared drives. */
export const ALL_DRIVES = { supportsAllDrives: true, includeItemsFromAllDrives: true } as const

/** Returns the corpus to search for files: a shared drive, or the account's own and shared files. */
export function toCorpus(driveId: string | undefined) {
  return driveId === undefined ? { corpora: 'user' } : { corpora: 'drive', driveId }
}

/** Quotes an id for a query (https://developers.google.com/workspace/drive/api/guides/search-files: `\` escapes). */
export function quoteId(id: string): string {
  return `'${id.replace(/[\\']/g, '\\$&')}'`
}

/** Identifies the account by its permission id, which does not change when its address does. */
export async function identify(call: ProviderCall): Promise<Account> {
  const query = { fields: 'user(permissionId,emailAddress,displayName)' }
  const { user } = await askDrive(call, { path: '/about', query, reply: About, what: 'the account' })
  return { id: user.permissionId, name: user.emailAddress ?? user.displayName ?? user.permissionId }
}

/** Fetches the metadata of a file. Fails with `item_gone` if the account cannot see it. */
export function getFile(call: ProviderCall, id: string): Promise<DriveFile> {
  const query = { fields: FILE_FIELDS, supportsAllDrives: true }
  return askDrive(call, { path: toFilePath(id), query, reply: DriveFile, what: 'the file', subject: 'item' })
}

/** Returns the path of a file below the API's address. */
export function toFilePath(id: string): string {
  return `/files/${encodeURIComponent(id)}`
}

/** Returns the token from which changes are reported, for the account or for a shared drive. */
export async function getStartToken(call: ProviderCall, driveId: string | undefined): Promise<string> {
  const asked = {
    path: '/changes/startPageToken',
    query: { supportsAllDrives: true, driveId, fields: 'startPageToken' }
  }
  const subject = driveId === undefined ? 'account' : 'item'
  const reply = await askDrive(call, { ...asked, reply: StartPageToken, what: 'the token of changes', subject })
  return reply.startPageToken
}
