import type { Channel, Folder } from '../../src/contract/connection.ts'
import { Fault, type FaultCode } from '../../src/contract/faults.ts'
import { unlessAborted } from '../../src/contract/unless-aborted.ts'
import type { Clock } from '../../src/ports.ts'
import type { EnabledProvider } from '../oauth/wire/enabled-provider.ts'
import { UNSAID_WAIT_MS } from '../providers/http/create-paced-fetch.ts'
import { startTimeLimit } from '../providers/http/time-limit.ts'
import type { ProviderCall } from '../providers/port/provider.ts'
import { type FailureKind, ProviderFailure } from '../providers/port/provider-failure.ts'
import { deadGrantError, inCollection, reconnectCommand } from '../providers/port/reconnect-command.ts'
import { damagedValueError } from '../storage/database/stored-values.ts'

import type { StoredConnection } from '../storage/port/connector-storage.ts'

import type { ConnectionsParts } from './connections.ts'

type Browsed = { connection: StoredConnection; enabled: EnabledProvider; signal: AbortSignal }

type Parts = Pick<ConnectionsParts, 'storage' | 'oauth' | 'world'>

/**
 * Lists the folders of the account, below `parentId` or at the top.
 *
 * @throws Fault `usage` if the provider has none, or the fault for the provider's failure.
 */
export async function browseFolders(
  parts: Parts,
  asked: Browsed & { parentId: string | undefined }
): Promise<Folder[]> {
  const { connection, enabled, parentId } = asked
  const { folders } = enabled.provider
  if (!folders) throw hasNone(asked, 'folders')
  const entries = await collectFrom(parts, asked, (call) => folders(call, parentId))
  const selected = new Set(connection.config.folder_ids)
  return entries.map(({ id, name, hasChildren }) => {
    return { id, name, has_children: hasChildren, is_selected: selected.has(id) }
  })
}

/**
 * Lists the channels that the account may read.
 *
 * @throws Fault like `browseFolders`.
 */
export async function browseChannels(parts: Parts, asked: Browsed): Promise<Channel[]> {
  const { connection, enabled } = asked
  const { channels } = enabled.provider
  if (!channels) throw hasNone(asked, 'channels')
  const entries = await collectFrom(parts, asked, (call) => channels(call))
  const selected = new Set(connection.config.channel_ids)
  return entries.map(({ id, name, isPrivate, members }) => {
    return { id, name, is_private: isPrivate, num_members: members, is_selected: selected.has(id) }
  })
}

/**
 * Looks up folders or channels by their ids, if the provider supports it. Returns the names of those that the account
 * has, and the ids of the others.
 *
 * @throws Fault for the provider's failure.
 */
export async function findPlaces(parts: Parts, asked: Browsed, ids: readonly string[]): Promise<FoundPlaces> {
  const { findPlaceName } = asked.enabled.provider
  if (!findPlaceName || ids.length === 0) return { names: new Map(), absent: [] }
  const there = await collectFrom(parts, asked, async function* (call) {
    for (const id of ids) {
      const name = await findPlaceName(call, id)
      // An id that is missing yields an empty page, so that the time limit sees the provider respond.
      yield name === undefined ? [] : [{ id, name }]
    }
  })
  const names = new Map(there.map(({ id, name }) => [id, name]))
  return { names, absent: ids.filter((id) => !names.has(id)) }
}

export type FoundPlaces = { names: ReadonlyMap<string, string>; absent: string[] }

async function collectFrom<Entry extends { id: string; name: string }>(
  { storage, oauth, world }: Parts,
  { connection, enabled, signal }: Browsed,
  list: (call: ProviderCall) => ReturnType<Listing<Entry>>
): Promise<Entry[]> {
  const fetch = oauth.authorizedFetch(requireCredential(connection))
  const call = { fetch, apiUrl: enabled.apiUrl, clock: world.clock, log: world.log }
  try {
    return await collectEntries((either) => list({ ...call, signal: either }), { clock: world.clock, signal })
  } catch (thrown) {
    if (!(thrown instanceof ProviderFailure)) throw thrown
    // Other connections of the account detect this themselves. This one shows at once that a new consent is needed.
    if (thrown.kind === 'grant_dead') {
      const { service } = enabled.provider.facts
      const error = deadGrantError(service, thrown.message, reconnectCommand(connection))
      await storage.noteError(connection.id, error)
    }
    throw providerFault(thrown, connection)
  }
}

function requireCredential({ id, credentialId }: StoredConnection): string {
  if (credentialId === undefined)
    throw damagedValueError(`connection ${id} has no credential although it is not revoked`)
  return credentialId
}

/** Builds the fault for a missing kind of entry. The hint names the command for what the provider has instead. */
function hasNone({ connection: { id, provider }, enabled }: Browsed, what: string): Fault {
  const { folders, channels } = enabled.provider
  const has = folders ? 'folders' : channels ? 'channels' : undefined
  const hint =
    has === undefined
      ? `the whole account is synced: memctl connections show ${id}`
      : `list its ${has}: memctl connections ${has} ${id}`
  return new Fault('usage', `provider ${provider} of connection ${id} has no ${what}`, { hint })
}

/** Limits of a listing: the number of entries, and the characters of all their names. */
export const ENTRIES_MAX = 20_000
const NAME_CHARACTERS_MAX = 16 * 1024 * 1024
/** Time limits of a page, retries included, and of all pages, in milliseconds. */
export const PAGE_MS_MAX = 13_000
export const LISTING_MS_MAX = 30_000
/** The waits before a listing that failed temporarily is repeated, in milliseconds. */
const RETRY_WAITS_MS = [250, 1000]

type Listing<Entry> = (signal: AbortSignal) => AsyncIterable<readonly Entry[]>

type Named = { id: string; name: string }

type CollectWorld = { clock: Pick<Clock, 'wait'>; signal: AbortSignal }

/**
 * Returns all entries of a listing without duplicates, sorted by name in natural order.
 *
 * @throws ProviderFailure of the provider, or `transient` if it takes too long; Fault `provider_failed` if it lists too
 * much.
 */
export async function collectEntries<Entry extends Named>(
  list: Listing<Entry>,
  { clock, signal }: CollectWorld
): Promise<Entry[]> {
  const whole = startTimeLimit(clock, LISTING_MS_MAX, () => tookLonger(LISTING_MS_MAX))
  const page = startTimeLimit(clock, PAGE_MS_MAX, () => tookLonger(PAGE_MS_MAX))
  const either = AbortSignal.any([signal, whole.signal, page.signal])
  const listed: Listing<Entry> = async function* (call) {
    for await (const entries of list(call)) {
      page.restart()
      yield entries
    }
  }
  try {
    // A provider that ignores its signal does not delay the result.
    const entries = await unlessAborted(withRetries(listed, { clock, signal: either }), either)
    return entries.sort(byName)
  } finally {
    page.end()
    whole.end()
  }
}

function tookLonger(ms: number): ProviderFailure {
  return new ProviderFailure('transient', `the provider did not finish within ${ms / 1000} seconds`)
}

async function withRetries<Entry extends Named>(list: Listing<Entry>, world: CollectWorld): Promise<Entry[]> {
  for (const waitMs of RETRY_WAITS_MS) {
    try {
      return await collect(list(world.signal))
    } catch (thrown) {
      if (!isPassing(thrown) || world.signal.aborted) throw thrown
      await world.clock.wait(waitMs, world.signal)
    }
  }
  return await collect(list(world.signal))
}

/** Returns whether a failure is temporary. If the provider names a time, the server does not retry by itself. */
function isPassing(thrown: unknown): boolean {
  return thrown instanceof ProviderFailure && thrown.kind === 'transient' && thrown.retryAfterMs === undefined
}

async function collect<Entry extends Named>(pages: AsyncIterable<readonly Entry[]>): Promise<Entry[]> {
  const entries = new Map<string, Entry>()
  let characters = 0
  for await (const page of pages) {
    for (const entry of page) {
      entries.set(entry.id, entry)
      characters += entry.name.length
    }
    if (entries.size > ENTRIES_MAX || characters > NAME_CHARACTERS_MAX) throw tooMany()
  }
  return [...entries.values()]
}

function tooMany(): Fault {
  return new Fault(
    'provider_failed',
    `the account has more than ${ENTRIES_MAX} entries, which is the limit of a listing`,
    {
      hint: 'find the id at the provider and select it directly: memctl connections config'
    }
  )
}

const NAMES = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

function byName(a: Named, b: Named): number {
  return NAMES.compare(a.name, b.name) || (a.id < b.id ? -1 : Number(a.id > b.id))
}

/** Turns a provider failure into the fault for the caller who requested folders or channels. */
function providerFault(failure: ProviderFailure, connection: StoredConnection): Fault {
  const { kind, retryAfterMs } = failure
  const message = inCollection(failure.message, connection.collectionId)
  const code = CODES[kind]
  return new Fault(code, message, {
    hint: chooseHint(code, connection),
    cause: failure,
    retryAfter: toRetryAfter(code, retryAfterMs),
    ...(code === 'invalid_input' && { errors: [{ path: 'parent_id', message }] })
  })
}

/** The wait in seconds if a provider limits requests without naming a time. No call is sent before that. */
const RETRY_AFTER_SECONDS = UNSAID_WAIT_MS / 1000

function toRetryAfter(code: FaultCode, retryAfterMs: number | undefined): number | undefined {
  if (retryAfterMs !== undefined) return Math.max(1, Math.ceil(retryAfterMs / 1000))
  return code === 'rate_limited' ? RETRY_AFTER_SECONDS : undefined
}

/** The fault for each kind of failure. The only item requested by id is the folder whose children are listed. */
const CODES: Readonly<Record<FailureKind, FaultCode>> = {
  auth_expired: 'provider_refused',
  grant_dead: 'provider_refused',
  scope_missing: 'provider_refused',
  rate_limited: 'rate_limited',
  transient: 'provider_failed',
  item_gone: 'not_found',
  item_permanent: 'invalid_input',
  cursor_invalid: 'provider_failed',
  contract_broken: 'provider_failed'
}

function chooseHint(code: FaultCode, connection: StoredConnection): string {
  const { id } = connection
  if (code === 'provider_refused') return reconnectCommand(connection)
  if (code === 'rate_limited') return 'wait as long as Retry-After says'
  if (code === 'not_found' || code === 'invalid_input') return `memctl connections folders ${id}`
  return 'try again in a moment'
}
