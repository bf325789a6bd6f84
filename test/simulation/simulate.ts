import { createHash } from 'node:crypto'
import { PROVIDER_IDS } from '../../src/contract/provider-ids.ts'
import { type ClientParts, createTold, type Told } from './client-parts.ts'
import { actAsClient } from './clients.ts'
import { checkAtEnd, checkAtRest } from './invariants.ts'
import { type Mutation, NO_MUTATION } from './mutation.ts'
import { type Plan, type Step, WORLD_LANE, type WorldAct } from './plan.ts'
import { createWatched, type Watched } from './watch.ts'
import { createWorld, type OpenStorage, openModel, type World } from './world.ts'

/** The result of a simulation. `failure`: the first violated invariant. */
export type Outcome = { failure: string | undefined; hash: string; events: number; trace: readonly string[] }

export type SimulationOptions = { openStorage?: OpenStorage; mutation?: Mutation }

export type Simulation = { world: World; watched: Watched; told: Told }

/** The time limit for a plan's steps and for the work that is due after them, in milliseconds of the simulation. */
const STEPS_MS_MAX = 2 * 3_600_000
const SETTLE_MS = 25_000
const DAY_MS = 24 * 3_600_000
/** Number of sync rounds after which the collections must match the providers. */
const ROUNDS_MAX = 4

/**
 * Runs a plan: its steps, then the time until no work is due, then the comparison with what clients and providers have.
 */
export async function simulate(plan: Plan, options: SimulationOptions = {}): Promise<Outcome> {
  warmUp ??= loadModules().then(() => runPlan(WARM_UP, {}))
  await warmUp
  return await runPlan(plan, options)
}

let warmUp: Promise<unknown> | undefined

/**
 * Loads the modules that the product imports at first use. Otherwise simulated time would pass while they are read from
 * the disk, and the simulation would not be repeatable.
 */
async function loadModules(): Promise<void> {
  await Promise.all([import('../../src/memory/understand.ts'), import('sql.js')])
}

const WARM_UP: Plan = {
  seed: 0,
  steps: [
    ...PROVIDER_IDS.flatMap((provider): Step[] => [
      {
        ...{ lane: WORLD_LANE, pauseMs: 0 },
        act: { kind: 'change', provider, change: { what: 'add', pick: 0, token: `tok${provider.length}x`, count: 1 } }
      },
      { lane: 1, pauseMs: 100, act: { kind: 'connect', provider, pick: 0, places: 3, twice: false, denies: false } }
    ]),
    { lane: 1, pauseMs: 0, act: { kind: 'store', pick: 0, token: 'tok0x' } },
    { lane: 1, pauseMs: 0, act: { kind: 'search', pick: 0 } }
  ]
}

async function runPlan(plan: Plan, options: SimulationOptions): Promise<Outcome> {
  const { openStorage = openModel, mutation = NO_MUTATION } = options
  let watched: Watched | undefined
  const restore = seedPlatform()
  const world = await createWorld({
    ...{ seed: plan.seed, openStorage, mutation },
    watch: (of) => {
      watched = createWatched(of)
      return watched.watch
    }
  })
  if (watched === undefined) throw new Error('the simulation has no observer')
  const simulation = {
    world,
    watched,
    told: createTold({ isCalm: plan.steps.every(({ act }) => !TROUBLES.has(act.kind)) })
  }
  let failure: string | undefined
  try {
    await runSteps(simulation, plan)
    await settle(simulation)
  } catch (error) {
    failure =
      error instanceof Violation
        ? error.message
        : `the simulation broke: ${error instanceof Error ? error.stack : error}`
  } finally {
    restore()
  }
  const { scheduler } = world
  const outcome = { failure, hash: scheduler.hash(), events: scheduler.events(), trace: scheduler.tail() }
  for (const name of ['a', 'b'] as const) {
    const node = world.nodes[name]
    if (node !== undefined) node.life.isAlive = false
  }
  await world.close()
  scheduler.close()
  return outcome
}

/** The acts after which a grant may be lost. */
const TROUBLES: ReadonlySet<string> = new Set(['fault', 'order', 'crash', 'jump', 'disconnect'])

/** The violation of an invariant. */
class Violation extends Error {}

function assertSound({ watched, told, world }: Simulation): void {
  const [first] = [
    ...watched.violations,
    ...told.violations,
    ...world.complaints,
    ...checkAtRest({ watched, told, world })
  ]
  if (first !== undefined) throw new Violation(first)
}

async function runSteps(simulation: Simulation, { steps }: Plan): Promise<void> {
  const { world, told, watched } = simulation
  const { scheduler } = world
  await complete(simulation, Promise.all([world.start('a'), world.start('b')]), STEPS_MS_MAX)
  for (const { id } of await world.storage.listCollections()) told.collections.add(id)
  const lanes = [...new Set(steps.map(({ lane }) => lane))]
  const working = lanes.map(async (lane) => {
    for (const { pauseMs, act } of steps.filter((step) => step.lane === lane)) {
      await scheduler.pause(`lane ${lane}`, pauseMs)
      scheduler.note(`lane ${lane}: ${JSON.stringify(act)}`)
      if (lane === WORLD_LANE) await actOnWorld(simulation, act as WorldAct)
      else await actAsClient({ world, told, watched, client: lane }, act as Parameters<typeof actAsClient>[1])
    }
  })
  await complete(simulation, Promise.all(working), STEPS_MS_MAX)
}

/** Runs the simulation until some work is done, and checks the invariants meanwhile. */
async function complete(simulation: Simulation, work: Promise<unknown>, msMax: number): Promise<void> {
  const { scheduler } = simulation.world
  let end: 'done' | { error: unknown } | undefined
  work.then(
    () => (end = 'done'),
    (error: unknown) => (end = { error })
  )
  await scheduler.run(() => {
    assertSound(simulation)
    return end !== undefined
  }, msMax)
  if (end === undefined) throw new Violation(`what was begun has not ended after ${msMax} ms`)
  if (typeof end === 'object') throw (end as { error: unknown }).error
}

/** A machine that sleeps while a token is refreshed gives up the request, and loses the rotated token. */
function leap({ world, watched, told }: Simulation, ms: number): void {
  if (watched.refreshing.size > 0) told.isCalm = false
  world.scheduler.leap(ms)
}

async function actOnWorld(simulation: Simulation, act: WorldAct): Promise<void> {
  const { world, watched } = simulation
  switch (act.kind) {
    case 'change':
      world.accounts.change(act.provider, act.change, world.clock.now())
      return watched.noteContent()
    case 'fault':
      return world.faults.arm(act.fault)
    case 'order':
      return await world.order({ provider: act.provider, ...act.order })
    case 'crash':
      return world.crash(act.node)
    case 'leap':
      return leap(simulation, act.ms)
    case 'jump':
      world.ahead[act.node] += act.ms
      world.aheadMost[act.node] = Math.max(world.aheadMost[act.node], world.ahead[act.node])
      return
    case 'hide':
      return world.accounts.hideFiles(act.isHidden)
  }
}

/** All failures end and time passes. Then the storage must agree with the replies to clients and with the providers. */
async function settle(simulation: Simulation): Promise<void> {
  const { world, told, watched } = simulation
  world.faults.clear()
  world.accounts.hideFiles(false)
  world.ahead.a = 0
  world.ahead.b = 0
  await world.dropOrders()
  await passTime(simulation, SETTLE_MS)
  const parts: ClientParts = { world, told, watched, client: 9 }
  let failure: string | undefined
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    leap(simulation, round === 0 ? 8 * DAY_MS : 5 * 3_600_000)
    await passTime(simulation, SETTLE_MS)
    const checking = checkAtEnd(parts)
    await complete(simulation, checking, STEPS_MS_MAX)
    failure = await checking
    if (failure === undefined) return
  }
  throw new Violation(failure ?? '')
}

async function passTime(simulation: Simulation, ms: number): Promise<void> {
  const { scheduler } = simulation.world
  await scheduler.run(() => {
    assertSound(simulation)
    return false
  }, ms)
}

/**
 * Replaces functions of the platform that run in other threads or at random: hashing by WebCrypto, and its random
 * numbers, both of which the OAuth library uses. Returns a function that restores them.
 */
function seedPlatform(): () => void {
  let count = 0
  const digest = async (name: string | { name: string }, data: ArrayBuffer | ArrayBufferView): Promise<ArrayBuffer> => {
    const view = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data)
    const hash = createHash(String(typeof name === 'string' ? name : name.name).replace('-', ''))
    return new Uint8Array(hash.update(view).digest()).buffer
  }
  const getRandomValues = <T extends ArrayBufferView>(view: T): T => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
    count += 1
    bytes.set(createHash('shake256', { outputLength: bytes.length }).update(`random ${count}`).digest())
    return view
  }
  Object.defineProperty(crypto.subtle, 'digest', { value: digest, configurable: true })
  Object.defineProperty(crypto, 'getRandomValues', { value: getRandomValues, configurable: true })
  return () => {
    Reflect.deleteProperty(crypto.subtle, 'digest')
    Reflect.deleteProperty(crypto, 'getRandomValues')
  }
}
