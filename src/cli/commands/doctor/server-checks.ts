import { isLoopback } from '../../../client/service-address.ts'
import { Fault } from '../../../contract/faults.ts'
import type { Context } from '../../context.ts'
import { counted } from '../../output/short-forms.ts'
import { chooseCollection } from '../../service/choose-collection.ts'
import { chooseServer } from '../../service/choose-server.ts'
import { findKey } from '../../service/find-key.ts'
import { VERSION } from '../../version.ts'
import { probe } from '../server/probe.ts'
import { dataFolder } from '../server/server-flags.ts'
import { type Check, ok, problem, type Seen, warning } from './check.ts'
import { OWN_SERVER_CHECKS } from './own-server-checks.ts'

/** What commands need of the server that settings name. The first that finds a problem ends them. */
export const SERVER_CHECKS: readonly Check[] = [
  ...OWN_SERVER_CHECKS,
  { about: 'server', check: 'address', look: lookAtAddress },
  { about: 'server', check: 'reachable', look: lookIfReachable },
  { about: 'server', check: 'version', look: lookAtVersion },
  { about: 'server', check: 'clock', look: lookAtClock },
  { about: 'server', check: 'key', look: lookAtKey },
  { about: 'server', check: 'collection', look: lookAtCollection }
]

async function lookAtAddress({ settings }: Context): Promise<Seen> {
  const { address, where, named } = chooseServer(settings)
  const { protocol, hostname } = new URL(address)
  const text = where === undefined ? address : `${address} (${where})`
  if (protocol === 'http:' && !isLoopback(hostname))
    return problem(`${text} is plain http: a key would travel in the clear`, `give https://${hostname}`)
  if (!named)
    return warning(
      `only ${where} names ${address}`,
      'it gets no key but one that was kept for it: --server says you mean it'
    )
  return ok(text)
}

async function lookIfReachable({ world, settings }: Context): Promise<Seen> {
  const { address } = chooseServer(settings)
  const { health, ready } = await probe(world, address)
  if (ready) return ok('answers, and is ready')
  if (health) return problem('answers, and is not ready: it is stopping, or lacks its storage', 'memctl server logs')
  const local = isLoopback(new URL(address).hostname)
  return problem(
    `no answer from ${address}`,
    local ? 'memctl server start' : 'check the address, and whether the network is there'
  )
}

/** Only a server of this machine says its version to everybody who may read its data folder. */
async function lookAtVersion(context: Context): Promise<Seen> {
  const host = await context.rooms.server()
  const facts = host.facts(await dataFolder(context, host, {}))
  const { origin } = chooseServer(context.settings)
  if (facts === undefined || facts.origin !== origin || !host.isRunning(facts))
    return ok('not a server of this data folder')
  if (facts.version === VERSION) return ok(facts.version)
  return warning(
    `the server is ${facts.version}, this program ${VERSION}`,
    'memctl server stop, then memctl server start'
  )
}

/** More than this, and times of memories get into a wrong order. In milliseconds. */
const SKEW_MS_MAX = 5000

async function lookAtClock({ world, settings }: Context): Promise<Seen> {
  const { address } = chooseServer(settings)
  const request = new Request(`${address.replace(/\/+$/, '')}/healthz`, { redirect: 'manual' })
  const response = await world.fetch(request).catch(() => undefined)
  await response?.body?.cancel()
  const told = Date.parse(response?.headers.get('date') ?? '')
  if (Number.isNaN(told)) return ok('the server does not say what time it has')
  // The header has whole seconds.
  const skew = Math.max(0, Math.abs(world.clock.now() - told) - 1000)
  if (skew <= SKEW_MS_MAX) return ok('the clocks agree')
  return warning(
    `the clocks differ by ${Math.round(skew / 1000)} s`,
    'set the clock of this machine, or that of the server'
  )
}

async function lookAtKey(context: Context): Promise<Seen> {
  const server = chooseServer(context.settings)
  const { key, from, withheld } = await findKey(context.world, server)
  const login = `memctl auth login --server ${server.origin}`
  if (key === undefined)
    return problem(`there is no key for ${server.origin}${withheld ? `, and ${withheld} is not for it` : ''}`, login)
  const client = await context.client()
  try {
    const collections = await client.listCollections({}, { signal: context.world.terminal.interrupted })
    return ok(`from ${from ?? '?'}, may read ${counted(collections.length, 'collection')}`)
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'unauthenticated') throw error
    return problem(`the server refuses the key from ${from ?? '?'}`, login)
  }
}

async function lookAtCollection(context: Context): Promise<Seen> {
  const id = await chooseCollection(context, undefined)
  const client = await context.client()
  const { name, memories } = await client.getCollection({ params: { collection_id: id } })
  return ok(`${name} (${id}), ${counted(memories, 'memory', 'memories')}`)
}
