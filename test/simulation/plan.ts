import { PROVIDER_IDS, type ProviderId } from '../../src/contract/provider-ids.ts'
import { type Chance, seeded } from '../server/sync/storm/seeded.ts'
import { CONTENT_VERBS, type ContentChange } from './accounts.ts'
import { LINE_EFFECTS, type NodeName, STORAGE_EFFECTS, type WorldFault } from './faults.ts'

/** What happens in a simulation, as plain data: a shrinker takes steps out, and what is left happens as before. */
export type Plan = { seed: number; steps: readonly Step[] }

/** `lane`: those of one lane happen one after another, the lanes at the same time. `pauseMs`: how long is waited before it. */
export type Step = { lane: number; pauseMs: number; act: Act }

export type Act = ClientAct | WorldAct

/** What clients ask of a node. `pick` chooses among the collections, memories or connections that there are then. */
export type ClientAct =
  | { kind: 'create_collection' }
  | { kind: 'delete_collection'; pick: number }
  | { kind: 'store'; pick: number; token: string }
  | { kind: 'forget'; pick: number }
  | { kind: 'search'; pick: number }
  | { kind: 'export'; pick: number }
  | { kind: 'connect'; provider: ProviderId; pick: number; places: number; twice: boolean }
  | { kind: 'configure'; pick: number; places: number }
  | { kind: 'sync' | 'pause' | 'resume' | 'retry'; pick: number }
  | { kind: 'disconnect'; pick: number; deletes: boolean }

/** What happens to the world. */
export type WorldAct =
  | { kind: 'change'; provider: ProviderId; change: ContentChange }
  | { kind: 'fault'; fault: WorldFault }
  | { kind: 'order'; provider: ProviderId; order: { kind: string } & Record<string, unknown> }
  | { kind: 'crash'; node: NodeName }
  | { kind: 'leap'; ms: number }
  | { kind: 'jump'; node: NodeName; ms: number }
  | { kind: 'hide'; isHidden: boolean }

/** The lane of the world, and those of clients. */
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
    add(1, { kind: 'connect', provider, ...pickPlaces(chance), twice: false })
  }
  for (let count = 3 + chance.number(6); count > 0; count -= 1)
    add(1 + chance.number(CLIENT_LANES), pickClientAct(chance, counter, providers))
  for (let count = 3 + chance.number(6); count > 0; count -= 1)
    add(WORLD_LANE, pickWorldAct(chance, counter, { providers, isCalm }))
  return { seed, steps }
}

/** Makes tokens, each once in a plan. */
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
  if (roll < 22) return { kind: 'store', pick, token: tokens() }
  if (roll < 34) return { kind: 'forget', pick }
  if (roll < 42) return { kind: 'search', pick }
  if (roll < 52) return { kind: 'export', pick }
  if (roll < 62)
    return { kind: 'connect', provider: chance.pick(providers), ...pickPlaces(chance), twice: chance.percent(20) }
  if (roll < 71) return { kind: 'configure', ...pickPlaces(chance) }
  if (roll < 84) return { kind: chance.pick(['sync', 'sync', 'pause', 'resume', 'retry'] as const), pick }
  if (roll < 93) return { kind: 'disconnect', pick, deletes: chance.percent(60) }
  return chance.percent(50) ? { kind: 'create_collection' } : { kind: 'delete_collection', pick }
}

type WorldChoice = { providers: readonly ProviderId[]; isCalm: boolean }

/** In a calm world nothing fails: what goes wrong there is nobody else's fault. */
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
  if (on === 'storage') return { on, node, nth: 1 + chance.number(40), effect: chance.pick(STORAGE_EFFECTS) }
  const effect = chance.pick(LINE_EFFECTS)
  if (on === 'provider_call') return { on, node, nth: 1 + chance.number(8), effect }
  return { on, client: 1 + chance.number(CLIENT_LANES), nth: 1 + chance.number(2), effect }
}

/** Every kind that the sandbox knows. */
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
  // More than any reply may have, so that one is enough.
  if (kind === 'big') return { kind, after: when.after, times: 1, bytes: 17 * 2 ** 20 }
  return { kind, ...when }
}

/** What reads one item. A fault of it is about that item alone. */
const READINGS: Readonly<Record<ProviderId, string>> = {
  cloud_drive: 'drive.files.get',
  team_chat: 'conversations.replies',
  mailbox: 'gmail.users.messages.get',
  notes: 'retrieve-page-markdown'
}

function pickOperation(chance: Chance, provider: ProviderId): { operation?: string } {
  return chance.percent(40) ? { operation: READINGS[provider] } : {}
}

/** A drive with many files, which its provider loses sight of for a while. */
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
    add(1, 2 * SECOND, { kind: 'connect', provider: 'cloud_drive', pick: place, places: 3, twice: false }),
    add(WORLD_LANE, 220 * SECOND, { kind: 'hide', isHidden: true }),
    add(WORLD_LANE, 0, { kind: 'leap', ms: 8 * DAY }),
    add(1, 4 * MINUTE, { kind: 'sync', pick: 0 }),
    // Two listings that are a minute apart confirm what both lack: there is time for one.
    add(WORLD_LANE, 50 * SECOND, { kind: 'hide', isHidden: false }),
    add(WORLD_LANE, SECOND, { kind: 'change', provider: 'cloud_drive', change: newChange(chance, tokens) })
  ]
}
