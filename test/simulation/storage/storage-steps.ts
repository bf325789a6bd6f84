import fc from 'fast-check'
import type { Storage } from '../../../server/storage/port/storage.ts'
import type { Hold } from '../../../server/storage/port/sync-storage.ts'
import { type EpochMs, toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { batchOf, type TestLine } from '../../server/storage/record-lines.ts'
import { heldGrant, made, newAttempt, sealed } from '../../suites/storage-connector-things.ts'
import { pageOf, type Said } from '../../suites/storage-page-things.ts'
import { hashOf, idAt, newCollection, newKey } from '../../suites/storage-place.ts'
import { ended } from '../../suites/storage-queue-things.ts'

/** The state that steps share: the time, the results of earlier steps, and numbers for new ids. */
export type StepContext = {
  now: EpochMs
  number: number
  holds: Hold[]
  stale: Parameters<Storage['resealSecret']>[0][]
}

/** Methods that are compared by calls. The others are compared in another way, or have nothing to compare. */
type ComparedMethod = Exclude<keyof Storage, 'ping' | 'close' | 'checkPart' | 'listAsideEntries' | 'purgeRevoked'>

/** A call of one method. Its arguments are computed when it runs. */
export type StorageStep = {
  method: ComparedMethod
  delayMs: number
  toArguments(context: StepContext): readonly unknown[]
}

type Drawn<Method extends ComparedMethod> = fc.Arbitrary<(context: StepContext) => Parameters<Storage[Method]>>

const few = fc.integer({ min: 1, max: 3 })
const COLLECTION = few.map(idAt)
const ATTEMPT = few.map((n) => `attempt-${n}`)
const VAULT_KEY = fc.constantFrom('key-1', 'key-2')
const SECRET = fc.record({ name: fc.constantFrom('s', 't'), key: VAULT_KEY }).map(({ name, key }) => sealed(name, key))
const CONNECTION = fc.integer({ min: 101, max: 106 }).map(idAt)
const CREDENTIAL = fc.integer({ min: 1, max: 6 }).map((n) => `credential-${n}`)
const OWNER = fc.constantFrom('one', 'two')
const ITEM = fc.constantFrom('a', 'b', 'é', 'd')
const PLACE = fc.constantFrom('p', 'q', undefined)
const TEXT = fc.constantFrom('x', 'y\0z', undefined)
const ABOUT = fc.constantFrom('m', 'n', 'o')
const LIMIT = fc.integer({ min: 0, max: 4 })
const NUMBER = fc.nat(1000)

const LINE: fc.Arbitrary<TestLine> = fc.record({
  kind: fc.constantFrom('memory', 'memory', 'memory', 'forget', 'unknown'),
  about: ABOUT,
  text: fc.constantFrom('1', '2'),
  time: fc.constantFrom(1000, 2000),
  extractor: fc.constantFrom(1, 2)
})
const MEMORY = LINE.map((line): TestLine => ({ ...line, kind: 'memory' }))

const SAID: fc.Arbitrary<Said> = fc.oneof(
  { arbitrary: fc.array(MEMORY, { maxLength: 3 }), weight: 4 },
  fc.constantFrom<Said>('unchanged', 'absent', { skipped: 'a video' }, { failed: 'broken' })
)
const COUNTS = fc.record({
  ...{ seen: fc.nat(3), created: fc.nat(3), updated: fc.nat(3), unchanged: fc.nat(3), failed: fc.nat(3) },
  ...{ skipped: fc.nat(3), reasons: fc.dictionary(fc.constantFrom('r', 's', '__proto_'), fc.nat(3)) }
})
const PAGE = fc.record({
  said: fc.dictionary(ITEM, SAID, { maxKeys: 3 }),
  details: fc.record({ place: PLACE, version: TEXT, title: TEXT, url: TEXT }),
  pass: few,
  progress: TEXT,
  placeNames: fc.option(fc.dictionary(fc.constantFrom('p', 'q'), fc.constantFrom('Plans', '\0\ud800')), {
    nil: undefined
  }),
  gone: fc.subarray(['a', 'b', 'd']),
  emptied: fc.subarray(['p', 'q']),
  seenIn: fc.subarray(['p', 'q']),
  covered: fc.subarray([
    { from: 'a', to: 'b' },
    { from: 'd', to: 'é' }
  ]),
  ledger: fc.array(fc.tuple(fc.constantFrom('k', 'ka', 'l'), TEXT), { maxLength: 2 }),
  counts: COUNTS
})

const later = ({ now }: StepContext, ms: number): EpochMs => toEpochMs(now + ms)

/** Picks a hold from any earlier step, valid or not; if there is none, an unknown one. */
function pickHold({ holds }: StepContext, n: number): Hold {
  return (
    holds[holds.length - 1 - (n % holds.length)] ?? { connectionId: idAt(101), owner: 'one', fence: 1, runId: idAt(1) }
  )
}

const withHold = <Rest>(rest: fc.Arbitrary<(context: StepContext) => Rest>) =>
  fc.tuple(fc.nat(2), rest).map(([n, draw]) => (context: StepContext): [Hold, Rest] => [
    pickHold(context, n),
    draw(context)
  ])

const lease = OWNER.map((owner) => (context: StepContext) => ({ owner, now: context.now, until: later(context, 60) }))

const always = <Given extends readonly unknown[]>(given: fc.Arbitrary<Given>) => given.map((value) => () => value)

/** The arguments of each method. They have few values, so that calls often collide. */
const DRAWN: { readonly [Method in ComparedMethod]: Drawn<Method> } = {
  createCollection: fc.tuple(few, fc.option(few)).map(([n, owner]) => ({ now }) => [
    newCollection(n, owner === null ? {} : { ownerKeyId: idAt(owner), expiresAt: toEpochMs(now + 100 * n) })
  ]),
  findCollection: always(fc.tuple(COLLECTION)),
  listCollections: always(fc.tuple(fc.option(fc.uniqueArray(COLLECTION), { nil: undefined }))),
  listCollectionsForKey: always(fc.tuple(COLLECTION)),
  beginEpoch: always(fc.tuple(OWNER)),
  deleteCollection: always(fc.tuple(COLLECTION)),
  listExpiredCollections: fc.constant(({ now }: StepContext) => [now, 10] as [EpochMs, number]),
  append: always(fc.tuple(COLLECTION, fc.array(LINE, { maxLength: 5 }).map(batchOf))),
  readPage: always(fc.tuple(COLLECTION, fc.record({ after: LIMIT, upTo: fc.constantFrom(3, 100), maxBytes: NUMBER }))),
  verifyLines: always(fc.tuple(COLLECTION, fc.record({ after: LIMIT, upTo: NUMBER, maxBytes: NUMBER }))),
  noteDamage: few.map((seq) => () => [
    idAt(1),
    { after: seq - 1, upTo: seq + 1, damaged: seq === 3 ? [] : [{ seq, id: '', knownId: '', reason: 'odd' }] }
  ]),
  listKnownIds: always(fc.tuple(COLLECTION)),
  createKey: fc
    .record({ n: few, hash: few, admin: fc.boolean(), into: fc.array(few) })
    .map(({ n, hash, admin, into }) => () => [
      {
        ...newKey(n, {
          admin,
          grants: into.map((c, at) => ({ collectionId: idAt(c), permission: at % 2 ? 'edit' : 'read' }))
        }),
        hash: hashOf(hash)
      }
    ]),
  findKeyByHash: always(fc.tuple(few.map(hashOf))),
  listKeys: fc.constant(() => []),
  revokeKey: always(fc.tuple(COLLECTION)),
  setUp: few.map((n) => () => [{ key: newKey(n), collection: newCollection(n) }]),
  createAttempt: fc.tuple(ATTEMPT, few, few, VAULT_KEY).map(([id, c, k, key]) => ({ now }) => [
    newAttempt(id, {
      ...{ collectionId: idAt(c), keyId: idAt(k), createdAt: now, expiresAt: toEpochMs(now + 300 + c) },
      verifier: k === 3 ? undefined : sealed(`verifier ${id}`, key)
    })
  ]),
  findAttempt: always(fc.tuple(ATTEMPT)),
  useAttempt: ATTEMPT.map((id) => ({ now }) => [id, now]),
  endAttempt: ATTEMPT.map((id) => ({ now }) => [id, { status: 'denied', detail: 'no\0', now }]),
  holdGrant: fc.tuple(ATTEMPT, SECRET).map(([id, secret]) => () => [id, heldGrant('ada', { secret })]),
  completeAttempt: fc
    .record({
      id: ATTEMPT,
      account: fc.constantFrom('ada', 'bob'),
      client: fc.constantFrom('c', 'd'),
      secret: SECRET,
      isActive: fc.boolean()
    })
    .map(({ id, account, client: clientId, secret, isActive }) => (context) => {
      context.number += 1
      const status = isActive ? 'active' : 'pending'
      return [id, made(context.number, account, { clientId, secret, status, now: context.now })]
    }),
  takeOldAttempts: fc.nat(400).map((ms) => ({ now }) => [{ now, endedBefore: toEpochMs(now - ms), limit: 100 }]),
  findConnection: always(fc.tuple(CONNECTION)),
  listConnectionsInCollection: always(fc.tuple(COLLECTION)),
  updateConnection: fc.tuple(CONNECTION, few).map(([id, version]) => ({ now }) => [
    id,
    { version, config: { folder_ids: [`folder ${version}`] }, status: 'active', now }
  ]),
  noteError: always(fc.tuple(CONNECTION, TEXT)),
  revokeConnection: CONNECTION.map((id) => ({ now }) => [id, now]),
  takeUnusedCredentials: always(fc.tuple(fc.constant(100))),
  findCredential: always(fc.tuple(CREDENTIAL)),
  findCredentialForAccount: always(
    fc.tuple(
      fc.record({
        provider: fc.constant('cloud_drive' as const),
        clientId: fc.constantFrom('client', 'c'),
        accountId: fc.constantFrom('ada', 'account 1')
      })
    )
  ),
  leaseRefresh: fc.tuple(CREDENTIAL, lease).map(([id, draw]) => (context) => [id, draw(context)]),
  saveRefreshed: fc.tuple(CREDENTIAL, OWNER, SECRET).map(([id, owner, secret]) => ({ now }) => [
    id,
    { owner, secret, expiresAt: now }
  ]),
  endRefresh: fc.tuple(CREDENTIAL, OWNER, TEXT).map(([id, owner, error]) => () => [id, { owner, error }]),
  ensureStoreId: always(fc.tuple(OWNER)),
  listVaultKeys: fc.constant(() => []),
  changeVaultKey: always(fc.tuple(fc.option(VAULT_KEY, { nil: undefined }), VAULT_KEY)),
  listStaleSecrets: always(fc.tuple(fc.constant(100))),
  resealSecret: fc.tuple(fc.nat(5), VAULT_KEY).map(([n, key]) => ({ stale }) => [
    stale[n % Math.max(1, stale.length)] ?? { kind: 'held', id: 'attempt-1', identity: '', secret: sealed('s') },
    sealed(`again ${n}`, key)
  ]),
  claimDue: fc.tuple(lease, LIMIT, fc.boolean()).map(([draw, limit, isAgain]) => (context) => {
    if (!isAgain) context.number += 10
    const runIds = Array.from({ length: limit }, (_, at) => idAt(10_000 + context.number * 10 + at))
    return [{ ...draw(context), limit, providers: ['cloud_drive', 'mailbox'], runIds }]
  }),
  findNextDue: always(fc.tuple(fc.constantFrom([], ['cloud_drive']))),
  requestSync: CONNECTION.map((id) => ({ now }) => [id, now]),
  renewLease: withHold(fc.nat(200).map((ms) => (context) => ({ now: context.now, until: later(context, ms) }))),
  endRun: withHold(
    fc
      .record({
        outcome: fc.constantFrom('succeeded', 'failed', 'stopped'),
        error: TEXT,
        ms: fc.nat(500),
        complete: fc.boolean()
      })
      .map(
        ({ ms, ...end }) =>
          (context) =>
            ended(context.now, { ...end, nextRunAt: later(context, ms), failures: ms % 3 })
      )
  ),
  findSchedule: always(fc.tuple(CONNECTION)),
  setPaused: fc.tuple(CONNECTION, fc.boolean()).map(([id, paused]) => ({ now }) => [id, { paused, now }]),
  recordReads: withHold(
    fc
      .record({ items: fc.array(fc.record({ id: ITEM, version: TEXT }), { maxLength: 3 }), alone: fc.boolean() })
      .map((reads) => () => reads)
  ),
  endReads: fc.nat(2).map((n) => (context) => [pickHold(context, n)]),
  commitPage: withHold(
    PAGE.map(({ said, details, ...page }) => (context) => {
      const { items, ...rest } = pageOf(said, { ...page, now: context.now, until: later(context, 60) })
      return { ...rest, items: items.map((item, at) => (at === 1 ? item : { ...item, ...details })) }
    })
  ),
  findLedgerValue: always(fc.tuple(CONNECTION, fc.constantFrom('k', 'l'))),
  listLedgerEntries: always(fc.tuple(CONNECTION, fc.constantFrom('', 'k'))),
  findKnownItems: always(fc.tuple(CONNECTION, fc.uniqueArray(ITEM))),
  listDueItems: fc.tuple(CONNECTION, LIMIT).map(([id, limit]) => ({ now }) => [
    id,
    { now: toEpochMs(now + 1000), limit }
  ]),
  findNextTry: always(fc.tuple(CONNECTION)),
  countUnseen: always(
    fc.tuple(CONNECTION, fc.oneof(fc.record({ before: few }), fc.record({ missingIn: few, before: few })))
  ),
  listUnseenItems: always(
    fc.tuple(CONNECTION, fc.record({ unseen: fc.record({ missingIn: few }), notNotedIn: few, limit: LIMIT }))
  ),
  listItems: always(
    fc.tuple(
      CONNECTION,
      fc.record({
        status: fc.constantFrom(undefined, 'failed', 'synced'),
        after: fc.constantFrom(undefined, 'a', 'd'),
        limit: LIMIT
      })
    )
  ),
  findItem: always(fc.tuple(CONNECTION, ITEM)),
  retryItem: fc.tuple(CONNECTION, ITEM).map(([id, itemId]) => ({ now }) => [id, { itemId, now }]),
  listRuns: always(fc.tuple(CONNECTION, fc.record({ limit: LIMIT }))),
  findRun: fc.tuple(CONNECTION, fc.nat(2)).map(([id, n]) => (context) => [id, pickHold(context, n).runId]),
  requestCleanup: always(fc.tuple(CONNECTION)),
  listOpenCleanups: LIMIT.map((limit) => ({ now }) => [{ now, limit }]),
  claimCleanup: fc.tuple(CONNECTION, lease).map(([id, draw]) => (context) => [id, draw(context)]),
  releaseMemories: withHold(
    LIMIT.map((limit) => (context) => ({ limit, now: context.now, until: later(context, 60) }))
  ),
  claimScrub: lease.map((draw) => (context) => [{ ...draw(context), endedBy: later(context, -100) }]),
  keepScrub: fc.tuple(OWNER, TEXT, fc.boolean()).map(([owner, position, isEnd]) => (context) => [
    owner,
    { now: context.now, until: later(context, 60), position, found: 2, ended: isEnd }
  ]),
  replaceScrub: fc.constant(({ now }: StepContext) => [{ now, damage: 1 }] as Parameters<Storage['replaceScrub']>)
}

/** The weights of the methods that do most of the work; the default is 1. */
const WEIGHTS: Partial<Record<ComparedMethod, number>> = {
  ...{ commitPage: 30, claimDue: 10, append: 8, recordReads: 5, endRun: 4, revokeConnection: 3, releaseMemories: 4 },
  ...{ askCleanup: 3, claimCleanup: 3, createAttempt: 4, useAttempt: 4, completeAttempt: 6, requestSync: 2 }
}

const DELAY = fc.oneof({ arbitrary: fc.nat(10), weight: 4 }, fc.nat(200))

/** Calls of all methods in any order. */
export const STORAGE_STEP: fc.Arbitrary<StorageStep> = fc.oneof(
  ...(Object.keys(DRAWN) as ComparedMethod[]).map((method) => ({
    weight: WEIGHTS[method] ?? 1,
    // A list of methods and arguments loses the type that connects them, so they are passed on together.
    arbitrary: fc.record({
      method: fc.constant(method),
      delayMs: DELAY,
      toArguments: DRAWN[method] as fc.Arbitrary<StorageStep['toArguments']>
    })
  }))
)
