import type { StoredConnection } from '../../server/storage/port/connector-storage.ts'
import { RECORD_KINDS } from '../../server/storage/port/record-batch.ts'
import type { Claim, ClaimAsked, Hold, PageChange } from '../../server/storage/port/sync-storage.ts'
import type { ConnectionConfig } from '../../src/contract/connection.ts'
import type { ProviderId } from '../../src/contract/provider-ids.ts'
import { findTokens } from './accounts.ts'
import type { Watch, WatchedCall } from './storage-line.ts'
import type { World } from './world.ts'

/** The known content of a collection. It is read after each write, by the sequence number that all readers use. */
export type WatchedCollection = {
  seq: number
  /** The current memories by id. */
  memories: Map<string, WatchedMemory>
  forgotten: Set<string>
  /** All memories with a token that ever existed, by id. */
  remembered: Map<string, { token: string; isCopy: boolean }>
}

export type WatchedMemory = { id: string; token: string | undefined; text: string }

/** A connection as its transactions left it. */
export type WatchedConnection = {
  id: string
  provider: ProviderId
  collectionId: string
  config: ConnectionConfig
  status: StoredConnection['status']
  deletesMemories: boolean
  /** The tokens in its selection, and those that have left it at some time: only the latter may be deleted. */
  held: Set<string>
  ceased: Set<string>
  /** Tokens that its syncs have written. */
  synced: Set<string>
  /** The tokens that it left in its collection when it was revoked. */
  kept: Set<string>
  lease: { hold: Hold; until: number } | undefined
  /** The run that ended last. If the reply is lost, its node ends it again. */
  ended: Hold | undefined
}

/** The observed state of a simulation, and all violations so far. */
export type Watched = {
  violations: string[]
  collections: Map<string, WatchedCollection>
  connections: Map<string, WatchedConnection>
  deletedCollections: Set<string>
  /** Ids that a client asked to forget, by collection. */
  forgetsAsked: Map<string, Set<string>>
  /** Credentials whose tokens are being refreshed. */
  refreshing: Set<string>
  /** Called when content or a selection has changed. */
  noteContent(): void
  watch: Watch
}

/** The waits before the retries of an item, as documented in the manual. */
const RETRY_WAITS_MS = [30_000, 120_000, 480_000, 3_600_000]

export function createWatched(world: World): Watched {
  const watched: Watched = {
    violations: [],
    collections: new Map(),
    connections: new Map(),
    deletedCollections: new Set(),
    forgetsAsked: new Map(),
    refreshing: new Set(),
    noteContent: () => {
      for (const connection of watched.connections.values()) updateHeld(connection, world)
    },
    watch: {
      before: (call) => {
        if (call.method === 'commitPage') noteCommit(watched, call)
      },
      after: (call, result) => noteResult(watched, world, { ...call, result }),
      failed(call, error) {
        if (error instanceof TypeError)
          watched.violations.push(`${call.method} was given what no engine keeps: ${error.message}`)
      }
    }
  }
  return watched
}

/** Inspects a page before it is written, because the storage then owns its memory. */
function noteCommit(watched: Watched, { given }: WatchedCall): void {
  const [hold, page] = given as [Hold, PageChange]
  const connection = watched.connections.get(hold.connectionId)
  const { count, kinds, ends, lines } = page.memories
  for (let row = 0; row < count; row += 1) {
    if (kinds[row] !== RECORD_KINDS.memory) continue
    const line = Buffer.from(lines.subarray(row === 0 ? 0 : ends[row - 1], ends[row])).toString()
    for (const token of findTokens(line)) connection?.synced.add(token)
  }
  for (const { state } of page.items) {
    if (state.kind !== 'failed') continue
    const least = RETRY_WAITS_MS[Math.min(state.tries, RETRY_WAITS_MS.length) - 1] ?? 0
    // Nothing shortens a wait, and only the provider's demand lengthens it.
    if (state.nextTryAt - page.now < least * 0.75)
      watched.violations.push(`an item is tried again after ${state.nextTryAt - page.now} ms, try ${state.tries}`)
  }
}

async function noteResult(
  watched: Watched,
  world: World,
  { life, method, given, result }: WatchedCall & { result: unknown }
): Promise<void> {
  const [first] = given
  switch (method) {
    case 'updateConnection': {
      const { changed, connection } = result as { changed: boolean; connection: StoredConnection | undefined }
      const known = connection && watched.connections.get(connection.id)
      // An earlier holder is fenced off, even if the same content was selected again.
      if (changed && known !== undefined) known.lease = undefined
      return noteConnection(watched, world, connection)
    }
    case 'completeAttempt':
      return noteConnection(watched, world, (result as { connection?: StoredConnection }).connection)
    case 'revokeConnection':
      return noteConnection(watched, world, (result as { connection: StoredConnection } | undefined)?.connection)
    case 'requestCleanup': {
      const connection = watched.connections.get(first as string)
      if (connection !== undefined) connection.deletesMemories = true
      return
    }
    case 'recordReads':
      if (world.crashes < 2 && (result as { setAside?: string[] }).setAside?.length)
        watched.violations.push('an item was set aside, although no server ended twice')
      return
    case 'leaseRefresh':
      if (result === true) watched.refreshing.add(first as string)
      return
    case 'saveRefreshed':
    case 'endRefresh':
      watched.refreshing.delete(first as string)
      return
    case 'claimDue':
      return noteClaims(watched, nodeNow(world, life.name), { asked: first as ClaimAsked, claims: result as Claim[] })
    case 'renewLease':
      return result === true ? noteLease(watched, first as Hold, (given[1] as { until: number }).until) : undefined
    case 'endRun':
      return result === true ? noteEnd(watched, first as Hold) : undefined
    case 'deleteCollection':
      watched.deletedCollections.add(first as string)
      return
    case 'append':
      return await follow(watched, world, first as string)
    case 'commitPage': {
      const { outcome } = result as { outcome: string }
      if (outcome === 'committed') noteLease(watched, first as Hold, (given[1] as PageChange).until)
      return await followConnection(watched, world, (first as Hold).connectionId)
    }
    case 'releaseMemories':
      return await followConnection(watched, world, (first as Hold).connectionId)
  }
}

function noteConnection(watched: Watched, world: World, stored: StoredConnection | undefined): void {
  if (stored === undefined) return
  const { id, provider, collectionId, config, status } = stored
  const known = watched.connections.get(id)
  const fresh = {
    held: new Set<string>(),
    ceased: new Set<string>(),
    synced: new Set<string>(),
    kept: new Set<string>()
  }
  const connection: WatchedConnection = {
    ...(known ?? { deletesMemories: false, lease: undefined, ended: undefined, ...fresh }),
    ...{ id, provider, collectionId, config, status }
  }
  if (status === 'revoked' && known?.status !== 'revoked') connection.kept = listLiveTokens(watched, connection)
  if (status === 'revoked') connection.lease = undefined
  watched.connections.set(id, connection)
  updateHeld(connection, world)
}

function updateHeld(connection: WatchedConnection, { accounts }: World): void {
  if (connection.status === 'revoked') return
  const held = accounts.held(connection.provider, connection.config)
  for (const token of connection.held) if (!held.has(token)) connection.ceased.add(token)
  connection.held = held
}

/** Returns the tokens that a connection has synced and that are still remembered. */
function listLiveTokens({ collections }: Watched, { collectionId, synced }: WatchedConnection): Set<string> {
  const live = [...(collections.get(collectionId)?.memories.values() ?? [])].map(({ token }) => token)
  return new Set(live.filter((token) => token !== undefined && synced.has(token)) as string[])
}

/** Returns the latest time that the clock of a node can have shown, regardless of what the node tells the storage. */
function nodeNow({ clock, aheadMost }: World, life: string): number {
  return clock.now() + aheadMost[life.startsWith('a') ? 'a' : 'b']
}

type Claiming = { asked: ClaimAsked; claims: readonly Claim[] }

/** A connection has one holder: no server claims it before another server's lease expires. */
function noteClaims(
  { connections, violations }: Watched,
  now: number,
  { asked: { owner, until }, claims }: Claiming
): void {
  for (const { hold } of claims) {
    const connection = connections.get(hold.connectionId)
    if (connection === undefined) continue
    const { lease } = connection
    if (lease !== undefined && lease.hold.owner !== owner && lease.until > now)
      violations.push(`a connection is claimed although another server holds it for ${lease.until - now} ms more`)
    if (lease !== undefined && lease.hold.fence > hold.fence)
      violations.push('a claim has a lower fence than the one before it')
    connection.lease = { hold, until }
  }
}

function noteEnd(watched: Watched, hold: Hold): void {
  const connection = watched.connections.get(hold.connectionId)
  if (connection?.lease === undefined && connection?.ended?.fence === hold.fence) return
  noteLease(watched, hold, undefined)
  if (connection !== undefined) connection.ended = hold
}

function noteLease({ connections, violations }: Watched, hold: Hold, until: number | undefined): void {
  const connection = connections.get(hold.connectionId)
  const current = connection?.lease
  if (connection === undefined) return
  if (current === undefined || current.hold.fence !== hold.fence) {
    violations.push('a run that has lost its lease has written')
    return
  }
  connection.lease = until === undefined ? undefined : { hold, until }
}

async function followConnection(watched: Watched, world: World, connectionId: string): Promise<void> {
  const connection = watched.connections.get(connectionId)
  if (connection !== undefined) await follow(watched, world, connection.collectionId)
}

/** Reads what was added to a collection since the last time, and checks it. */
async function follow(watched: Watched, { storage }: World, collectionId: string): Promise<void> {
  if (watched.deletedCollections.has(collectionId)) return
  const known = watched.collections.get(collectionId) ?? {
    seq: 0,
    memories: new Map(),
    forgotten: new Set(),
    remembered: new Map()
  }
  watched.collections.set(collectionId, known)
  const range = { after: known.seq, upTo: Number.MAX_SAFE_INTEGER, maxBytes: 8 * 2 ** 20 }
  const page = await storage.readPage(collectionId, range)
  const gone: string[] = []
  for (let row = 0; row < page.count; row += 1) {
    const seq = page.seqs[row] ?? 0
    if (seq <= known.seq) watched.violations.push(`sequence number ${seq} came after ${known.seq}`)
    known.seq = seq
    const line = Buffer.from(page.lines.subarray(row === 0 ? 0 : page.ends[row - 1], page.ends[row])).toString()
    const record = JSON.parse(line) as { id: string; text?: string; target?: string; copy?: number }
    if (page.kinds[row] === RECORD_KINDS.memory) noteMemory(watched, known, record)
    else gone.push(...noteForget(watched, known, { collectionId, id: record.target ?? '' }))
  }
  // An item whose text changed around its token has another memory, from the same transaction.
  const live = new Set([...known.memories.values()].map(({ token }) => token))
  const forgotten = [...(watched.forgetsAsked.get(collectionId) ?? [])].map((id) => known.remembered.get(id)?.token)
  // An item that has the words of a forgotten memory again has no memory.
  for (const token of gone)
    if (!live.has(token) && !forgotten.includes(token)) judgeDeletion(watched, collectionId, token)
}

function noteMemory(
  { violations }: Watched,
  known: WatchedCollection,
  { id, text = '', copy }: { id: string; text?: string; copy?: number }
): void {
  if (known.forgotten.has(id)) violations.push(`a memory that was forgotten is remembered again: ${text}`)
  const [token] = findTokens(text)
  if (token !== undefined) known.remembered.set(id, { token, isCopy: copy !== undefined })
  known.memories.set(id, { id, text, token })
}

/** Records a forget line, and returns the token of a memory that no client asked to forget. */
function noteForget(
  watched: Watched,
  known: WatchedCollection,
  { collectionId, id }: { collectionId: string; id: string }
): string[] {
  const token = known.memories.get(id)?.token
  known.memories.delete(id)
  known.forgotten.add(id)
  return token === undefined || watched.forgetsAsked.get(collectionId)?.has(id) ? [] : [token]
}

/** A memory is deleted because its source no longer contains it, or together with its connection. */
function judgeDeletion({ connections, violations }: Watched, collectionId: string, token: string): void {
  const owners = [...connections.values()].filter((one) => one.collectionId === collectionId && one.synced.has(token))
  const isAllowed = owners.some(
    ({ ceased, held, deletesMemories }) => ceased.has(token) || !held.has(token) || deletesMemories
  )
  if (!isAllowed) violations.push(`${token} was deleted, although no request asked for it and its source still has it`)
}
