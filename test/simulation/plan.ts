import type { StorageMethod } from '../../server/storage/port/storage.ts'
import { PROVIDER_IDS, type ProviderId } from '../../src/contract/provider-ids.ts'
import { type Chance, seeded } from '../server/sync/storm/seeded.ts'
import { CONTENT_VERBS, type ContentChange } from './accounts.ts'
import { LINE_EFFECTS, type NodeName, STORAGE_EFFECTS, type WorldFault } from './faults.ts'

/** The steps of a simulation as plain data. The shrinker removes steps; the others run unchanged. */
export type Plan = { seed: number; steps: readonly Step[] }

/** `lane`: the steps of one lane run in order, the lanes concurrently. `pauseMs`: the wait before the step. */
export type Step = { lane: number; pauseMs: number; act: Act }

export type Act = ClientAct | WorldAct

/** The requests of clients. `pick` chooses one of the collections, memories or connections that exist at that time. */
export type ClientAct =
  | { kind: 'create_collection' }
  | { kind: 'delete_collection'; pick: number }
  | { kind: 'store'; pick: number; token: string }
  | { kind: 'forget'; pick: number }
  | { kind: 'search'; pick: number }
  | { kind: 'export'; pick: number }
  | { kind: 'upload'; pick: number; token: string }
  | { kind: 'ask_snapshot'; token: string }
  | { kind: 'assist'; pick: number; token: string }
  | { kind: 'import' | 'browse' | 'look' | 'use_key'; pick: number }
  | { kind: 'rotate' }
  | { kind: 'connect'; provider: ProviderId; pick: number; places: number; twice: boolean; denies: boolean }
  | { kind: 'configure'; pick: number; places: number }
  | { kind: 'sync' | 'pause' | 'resume' | 'retry'; pick: number }
  | { kind: 'disconnect'; pick: number; deletes: boolean }

/** Changes of the environment. */
export type WorldAct =
  | { kind: 'change'; provider: ProviderId; change: ContentChange }
  | { kind: 'fault'; fault: WorldFault }
  | { kind: 'order'; provider: ProviderId; order: { kind: string } & Record<string, unknown> }
  | { kind: 'crash'; node: NodeName }
  | { kind: 'leap'; ms: number }
  | { kind: 'jump'; node: NodeName; ms: number }
  | { kind: 'hide'; isHidden: boolean }

/** The lane of the environment, and those of clients. */
export const WORLD_LANE = 0
const CLIENT_LANES = 3

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Writes the plan of a seed. */
export function makePlan(seed: number): Plan {
  const chance = seeded(seed)
  if (chance.percent(6)) return { seed, steps: planMassDeletion(chance) }
  if (chance.percent(3)) return { seed, steps: planSetAside(chance) }
  const providers = pickSome(chance, PROVIDER_IDS, 1 + chance.number(2))
  const isCalm = chance.percent(25)
  const counter = createTokens()
  const steps: Step[] = []
  const add = (lane: number, act: Act): void => {
    steps.push({ lane, pauseMs: chance.number(chance.percent(20) ? 30 * SECOND : 4 * SECOND), act })
  }
  for (const provider of providers) {
    for (let count = 1 + chance.number(3); count > 0; count -= 1)
      add(WORLD_LANE, { kind: 'change', provider, change: { ...newChange(chance, counter), what: 'add' } })
    add(1, { kind: 'connect', provider, ...pickPlaces(chance), twice: false, denies: false })
  }
  for (let count = 3 + chance.number(6); count > 0; count -= 1)
    add(1 + chance.number(CLIENT_LANES), pickClientAct(chance, counter, providers))
  for (let count = 3 + chance.number(6); count > 0; count -= 1)
    add(WORLD_LANE, pickWorldAct(chance, counter, { providers, isCalm }))
  return { seed, steps }
}

/** Creates tokens, each once in a plan. */
type Tokens = () => string

function createTokens(): Tokens {
  let count = 0
  return () => `tok${(count++).toString(36)}x`
}

function pickSome<T>(chance: Chance, all: readonly T[], count: number): T[] {
  const left = [...all]
  return Array.from({ length: Math.min(count, all.length) }, () => left.splice(chance.number(left.length), 1)).flat()
}

function pickPlaces(chance: Chance): { pick: number; places: number } {
  return { pick: chance.number(64), places: 1 + chance.number(3) }
}

function newChange(chance: Chance, tokens: Tokens): ContentChange {
  return { what: chance.pick(CONTENT_VERBS), pick: chance.number(1024), token: tokens(), count: 1 }
}

function pickClientAct(chance: Chance, tokens: Tokens, providers: readonly ProviderId[]): ClientAct {
  const pick = chance.number(64)
  const roll = chance.number(100)
  if (roll < 14) return { kind: 'store', pick, token: tokens() }
  if (roll < 18) return { kind: 'upload', pick, token: tokens() }
  if (roll < 29) return { kind: 'forget', pick }
  if (roll < 34) return { kind: 'search', pick }
  if (roll < 39) return { kind: 'export', pick }
  if (roll < 57) return pickSideAct(chance, tokens)
  if (roll < 66) return pickConnecting(chance, chance.pick(providers))
  if (roll < 74) return { kind: 'configure', ...pickPlaces(chance) }
  if (roll < 86) return { kind: chance.pick(['sync', 'sync', 'pause', 'resume', 'retry'] as const), pick }
  if (roll < 94) return { kind: 'disconnect', pick, deletes: chance.percent(60) }
  return chance.percent(50) ? { kind: 'create_collection' } : { kind: 'delete_collection', pick }
}

/** Acts that do not affect the memories of a connection, at least not immediately. */
function pickSideAct(chance: Chance, tokens: Tokens): ClientAct {
  const kind = chance.pick([
    'rotate',
    'rotate',
    'import',
    'ask_snapshot',
    'assist',
    'browse',
    'browse',
    'look',
    'use_key'
  ] as const)
  if (kind === 'rotate') return { kind }
  if (kind === 'ask_snapshot') return { kind, token: tokens() }
  const pick = chance.number(64)
  return kind === 'assist' ? { kind, pick, token: tokens() } : { kind, pick }
}

type Connect = Extract<ClientAct, { kind: 'connect' }>

function pickConnecting(chance: Chance, provider: ProviderId): Connect {
  return { kind: 'connect', provider, ...pickPlaces(chance), twice: chance.percent(20), denies: chance.percent(20) }
}

type WorldChoice = { providers: readonly ProviderId[]; isCalm: boolean }

/** Picks a change of the environment. With `isCalm` it injects no failure, so every violation is a bug of the product. */
function pickWorldAct(chance: Chance, tokens: Tokens, { providers, isCalm }: WorldChoice): WorldAct {
  const provider = chance.pick(providers)
  const roll = chance.number(100)
  if (roll < (isCalm ? 70 : 35)) return { kind: 'change', provider, change: newChange(chance, tokens) }
  if (roll < (isCalm ? 100 : 45))
    return { kind: 'leap', ms: chance.pick([10 * SECOND, 2 * MINUTE, HOUR, 5 * HOUR, 8 * DAY]) }
  if (roll < 65) return { kind: 'fault', fault: pickFault(chance) }
  if (roll < 85) return { kind: 'order', provider, order: { ...pickOrder(chance), ...pickOperation(chance, provider) } }
  const node = chance.pick(['a', 'b'] as const)
  if (roll < 93) return { kind: 'crash', node }
  return { kind: 'jump', node, ms: chance.pick([-HOUR, -20 * SECOND, 20 * SECOND, 2 * MINUTE, HOUR]) }
}

function pickFault(chance: Chance): WorldFault {
  const node = chance.pick(['a', 'b'] as const)
  const on = chance.pick(['storage', 'provider_call', 'client_call'] as const)
  if (on === 'storage') {
    const effect = chance.pick(STORAGE_EFFECTS)
    if (chance.percent(50)) return { on, node, nth: 1 + chance.number(25), effect }
    return { on, node, nth: chance.percent(80) ? 1 : 2, effect, method: chance.pick(STORAGE_METHODS_HIT) }
  }
  const effect = chance.pick(LINE_EFFECTS)
  if (on === 'provider_call') return { on, node, nth: 1 + chance.number(8), effect }
  return { on, client: 1 + chance.number(CLIENT_LANES), nth: 1 + chance.number(2), effect }
}

/** Calls in the middle of longer work, which faults hit often. */
const STORAGE_METHODS_HIT: readonly StorageMethod[] = [
  ...(['append', 'commitPage', 'recordReads', 'endRun', 'claimDue', 'renewLease', 'releaseMemories'] as const),
  ...([
    'createAttempt',
    'useAttempt',
    'completeAttempt',
    'endAttempt',
    'revokeConnection',
    'updateConnection'
  ] as const),
  ...(['leaseRefresh', 'saveRefreshed', 'changeVaultKey', 'resealSecret', 'deleteCollection'] as const)
]

/** All kinds of faults that the sandbox supports. */
const ORDERS = [
  ...['rate_limited', 'server_error', 'overloaded', 'timeout', 'cut_body', 'html', 'wrong_shape', 'expired_token'],
  ...['dead_grant', 'slow', 'lag', 'lag', 'repeat_cursor', 'big']
] as const

function pickOrder(chance: Chance): { kind: string } & Record<string, unknown> {
  const kind = chance.pick(ORDERS)
  const when = { after: chance.number(6), times: 1 + chance.number(3) }
  if (kind === 'lag' || kind === 'repeat_cursor') return { kind, ...when, value: 1 + chance.number(4) }
  if (kind === 'slow') return { kind, ...when, ms: 500 + chance.number(90 * SECOND) }
  if (kind === 'rate_limited') return { kind, ...when, retry_after: chance.number(90) }
  // Larger than any reply, so that one request is enough.
  if (kind === 'big') return { kind, after: when.after, times: 1, bytes: 17 * 2 ** 20 }
  return { kind, ...when }
}

/** Operations that read one item. A fault of such an operation affects only that item. */
const READINGS: Readonly<Record<ProviderId, string>> = {
  cloud_drive: 'drive.files.get',
  team_chat: 'conversations.replies',
  mailbox: 'gmail.users.messages.get',
  notes: 'retrieve-page-markdown'
}

function pickOperation(chance: Chance, provider: ProviderId): { operation?: string } {
  return chance.percent(40) ? { operation: READINGS[provider] } : {}
}

/** A drive with many files, which its provider temporarily hides. */
function planMassDeletion(chance: Chance): Step[] {
  const tokens = createTokens()
  const add = (lane: number, pauseMs: number, act: Act): Step => ({ lane, pauseMs, act })
  const place = chance.number(64)
  const many: ContentChange = { what: 'add', pick: 0, token: tokens(), count: 22 + chance.number(6) }
  return [
    add(WORLD_LANE, 0, { kind: 'change', provider: 'cloud_drive', change: many }),
    add(WORLD_LANE, SECOND, {
      kind: 'change',
      provider: 'cloud_drive',
      change: { ...many, token: tokens(), count: 2 }
    }),
    add(1, 2 * SECOND, {
      kind: 'connect',
      provider: 'cloud_drive',
      pick: place,
      places: 3,
      twice: false,
      denies: false
    }),
    add(WORLD_LANE, 220 * SECOND, { kind: 'hide', isHidden: true }),
    add(WORLD_LANE, 0, { kind: 'leap', ms: 8 * DAY }),
    add(1, 4 * MINUTE, { kind: 'sync', pick: 0 }),
    // Two listings a minute apart confirm what both lack, so this time must pass.
    add(WORLD_LANE, 50 * SECOND, { kind: 'hide', isHidden: false }),
    add(WORLD_LANE, SECOND, { kind: 'change', provider: 'cloud_drive', change: newChange(chance, tokens) })
  ]
}

/**
 * Crashes the server twice while it reads a file, which is then set aside until a person requests another read. After
 * the first crash, the second record only marks the file as suspect, and the third one begins to read it alone.
 */
function planSetAside(chance: Chance): Step[] {
  const change: ContentChange = { what: 'add', pick: 0, token: createTokens()(), count: 1 }
  const crash = (nth: number): Act => ({
    kind: 'fault',
    fault: { on: 'storage', node: 'any', nth, effect: 'crash_after', method: 'recordReads' }
  })
  return [
    { lane: WORLD_LANE, pauseMs: 0, act: { kind: 'change', provider: 'cloud_drive', change } },
    { lane: WORLD_LANE, pauseMs: 0, act: crash(1) },
    { lane: WORLD_LANE, pauseMs: 0, act: crash(3) },
    { lane: 1, pauseMs: SECOND, act: { ...pickConnecting(chance, 'cloud_drive'), places: 3, denies: false } },
    { lane: 1, pauseMs: (4 + chance.number(20)) * MINUTE, act: { kind: 'retry', pick: 0 } }
  ]
}
