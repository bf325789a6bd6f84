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
  /** What the reply is called in a message, as in `the list of files`. */
  what: string
  subject?: Subject
}

/**
 * A reply of Drive as its schema has it.
 *
 * @throws ProviderFailure by `toFailure`, or by `parseValue` where it is something else.
 */
export async function askDrive<S extends z.ZodType>(call: ProviderCall, asked: Question<S>): Promise<z.output<S>> {
  const bytes = unwrapBytes(asked, await sendRequest(call, asked))
  return parseValue({ bytes }, asked.reply, { what: asked.what, service })
}

/** Sends a request and returns the reply, whatever it says. */
export function sendRequest(call: ProviderCall, { path, query, bytesMax }: Plain): Promise<Replied> {
  return ask(call, {
    service,
    method: 'GET',
    path: `/drive/v3${path}`,
    query: query ?? {},
    ...(bytesMax && { bytesMax })
  })
}

/** Returns the body of a reply that is what was asked for. @throws ProviderFailure */
export function unwrapBytes({ what, subject = 'account' }: Plain, replied: Replied): Uint8Array {
  const failure = toFailure(replied, { what, subject })
  if (failure !== undefined) throw failure
  return replied.bytes
}

/** A reply with a status that is right and a body that is not: something on the way answered instead of Drive, and may not next time. */
export function wrongBodyFailure({ what }: Plain, why: string): ProviderFailure {
  return new ProviderFailure('transient', `${what}: what came in its place was ${why}`)
}

type Plain = Omit<Question<unknown>, 'reply'> & { bytesMax?: number }

const { service } = FACTS

/** Without them, Drive behaves as if there were no shared drives. */
export const ALL_DRIVES = { supportsAllDrives: true, includeItemsFromAllDrives: true } as const

/** Where files of a folder are searched for: its shared drive, or what the account has of its own and was given. */
export function toCorpus(driveId: string | undefined) {
  return driveId === undefined ? { corpora: 'user' } : { corpora: 'drive', driveId }
}

/** An id in a query, in its quotes (https://developers.google.com/workspace/drive/api/guides/search-files: `\` escapes). */
export function quoteId(id: string): string {
  return `'${id.replace(/[\\']/g, '\\$&')}'`
}

/** The account's id in permissions, which stays when its address changes. */
export async function identify(call: ProviderCall): Promise<Account> {
  const query = { fields: 'user(permissionId,emailAddress,displayName)' }
  const { user } = await askDrive(call, { path: '/about', query, reply: About, what: 'the account' })
  return { id: user.permissionId, name: user.emailAddress ?? user.displayName ?? user.permissionId }
}

/** What is known of a file; `item_gone` where this account does not see it. */
export function getFile(call: ProviderCall, id: string): Promise<DriveFile> {
  const query = { fields: FILE_FIELDS, supportsAllDrives: true }
  return askDrive(call, { path: toFilePath(id), query, reply: DriveFile, what: 'the file', subject: 'item' })
}

/** Where a file is, behind the address of the API. */
export function toFilePath(id: string): string {
  return `/files/${encodeURIComponent(id)}`
}

/** From where on changes are told, of the account or of a shared drive. */
export async function getStartToken(call: ProviderCall, driveId: string | undefined): Promise<string> {
  const asked = {
    path: '/changes/startPageToken',
    query: { supportsAllDrives: true, driveId, fields: 'startPageToken' }
  }
  const subject = driveId === undefined ? 'account' : 'item'
  const reply = await askDrive(call, { ...asked, reply: StartPageToken, what: 'the token of changes', subject })
  return reply.startPageToken
}
