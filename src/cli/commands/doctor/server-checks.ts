import { Fault } from '../../../contract/faults.ts'
import type { Context } from '../../command/context.ts'
import { VERSION } from '../../command/version.ts'
import { readCredentials } from '../../credentials/credentials-file.ts'
import { formatCount, shellWord } from '../../output/short-forms.ts'
import { chooseCollection } from '../../service/choose-collection.ts'
import { type ChosenServer, chooseServer } from '../../service/choose-server.ts'
import { keyRemedy } from '../../service/error-hints.ts'
import { findKey } from '../../service/find-key.ts'
import { type Check, ok, problem, type Seen, warning } from './check.ts'
import { lookAtConnections } from './connection-check.ts'
import { askServer, lookIfReachable } from './reachable-check.ts'
import { lookAtStorage } from './storage-check.ts'

/** What commands need of the server that settings name. The first that finds a problem ends them. */
export const SERVER_CHECKS: readonly Check[] = [
  { about: 'server', check: 'address', look: lookAtAddress },
  { about: 'server', check: 'reachable', look: lookIfReachable },
  { about: 'server', check: 'version', look: lookAtVersion },
  { about: 'server', check: 'clock', look: lookAtClock },
  { about: 'server', check: 'storage', look: lookAtStorage },
  { about: 'server', check: 'key', look: lookAtKey },
  { about: 'server', check: 'collection', look: lookAtCollection },
  { about: 'server', check: 'connections', look: lookAtConnections }
]

async function lookAtAddress({ settings, world }: Context): Promise<Seen> {
  const server = chooseServer(settings)
  const { address, where, named, origin } = server
  const text = where === undefined ? address : `${address} (${where})`
  if (named || readCredentials(world).byOrigin.has(origin)) return ok(text)
  const login = `memctl auth login --server ${shellWord(address)}`
  return warning(
    `only ${where} names ${address}, and no key is kept for it: one from elsewhere is not sent there`,
    `${login} where you trust it`
  )
}

/** The document that describes the interface says of which version it is. */
async function lookAtVersion(context: Context): Promise<Seen> {
  const reply = await askServer(context, '/openapi.json')
  if ('seen' in reply) return reply.seen
  const version = /"version":\s*"([\w.+-]{1,40})"/.exec(reply.text.slice(0, HEAD_LENGTH))?.[1]
  if (reply.status !== 200 || version === undefined) return ok('the server does not say which it is')
  if (version === VERSION) return ok(version)
  return warning(`the server is ${version}, this program ${VERSION}`, 'install the same version on both sides')
}

/** Where `info` of the document stands. In characters. */
const HEAD_LENGTH = 4000

/** More than this, and times of memories get into a wrong order. In milliseconds. */
const SKEW_MS_MAX = 5000

async function lookAtClock(context: Context): Promise<Seen> {
  const reply = await askServer(context, '/healthz')
  if ('seen' in reply) return reply.seen
  const told = Date.parse(reply.date ?? '')
  if (Number.isNaN(told)) return ok('the server does not say what time it has')
  const ahead = context.world.clock.now() - told
  // The header has whole seconds.
  const skew = Math.max(0, Math.abs(ahead) - 1000)
  if (skew <= SKEW_MS_MAX) return ok('the clocks agree')
  const seconds = Math.round(skew / 1000)
  return warning(
    `this machine is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} the server`,
    'set the clock that is wrong: timedatectl set-ntp true'
  )
}

async function lookAtKey(context: Context): Promise<Seen> {
  const server = chooseServer(context.settings)
  const { key, from } = await findKey(context.world, server)
  if (key === undefined) return await withoutKey(context, server)
  const client = await context.client()
  const collections = await client.listCollections()
  return ok(`from ${from ?? '?'}, may read ${formatCount(collections.length, 'collection')}`)
}

/** Origins that are told at most. */
const TOLD_MOST = 3

async function withoutKey(context: Context, server: ChosenServer): Promise<Seen> {
  const kept = [...readCredentials(context.world).byOrigin.keys()].slice(0, TOLD_MOST)
  const but = kept.length === 0 ? '' : `; keys are kept for ${kept.join(', ')}`
  return problem(`there is no key for ${server.origin}${but}`, (await keyRemedy(context, server)).hint)
}

async function lookAtCollection(context: Context): Promise<Seen> {
  const id = await chooseCollection(context, undefined)
  const client = await context.client()
  try {
    const { name, memories } = await client.getCollection({ params: { collection_id: id } })
    return ok(`${name} (${id}), ${formatCount(memories, 'memory', 'memories')}`)
  } catch (error) {
    if (!(error instanceof Fault) || !OUT_OF_REACH.has(error.code)) throw error
    const { where = 'the server' } = context.settings.get('collection')
    return problem(
      `the collection ${id}, which ${where} names: ${error.message}`,
      'memctl collections list shows others'
    )
  }
}

/** Of one that is not there, or not for this key. */
const OUT_OF_REACH: ReadonlySet<string> = new Set(['not_found', 'forbidden'])
