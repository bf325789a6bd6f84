import type { Connection } from '../../../contract/connection.ts'
import { Fault } from '../../../contract/faults.ts'
import type { Context } from '../../command/context.ts'
import { VERSION } from '../../command/version.ts'
import { readCredentials } from '../../credentials/read-credentials.ts'
import { formatCount, shellWord } from '../../output/short-forms.ts'
import { makeKeyHint } from '../../service/add-error-hint.ts'
import { chooseCollection } from '../../service/choose-collection.ts'
import { type ChosenServer, chooseServer } from '../../service/choose-server.ts'
import { findKey } from '../../service/find-key.ts'
import { findOwnServer } from '../../service/find-own-server.ts'
import { nextCommand } from '../../service/next-command.ts'
import { readSchedules } from '../../service/read-schedules.ts'
import { type Check, type CheckResult, ok, problem, warning } from './check.ts'
import { askServer, checkReachable } from './check-reachable.ts'

/** Checks of the configured server. They stop at the first problem. */
export const SERVER_CHECKS: readonly Check[] = [
  { about: 'server', check: 'address', run: checkAddress },
  { about: 'server', check: 'reachable', run: checkReachable },
  { about: 'server', check: 'version', run: checkVersion },
  { about: 'server', check: 'clock', run: checkClock },
  { about: 'server', check: 'storage', run: checkStorageHealth },
  { about: 'server', check: 'key', run: checkKey },
  { about: 'server', check: 'collection', run: checkCollection },
  { about: 'server', check: 'connections', run: checkConnections }
]

async function checkAddress({ settings, world }: Context): Promise<CheckResult> {
  const server = chooseServer(settings)
  const { address, where, named, origin } = server
  const text = where === undefined ? address : `${address} (${where})`
  if (named || readCredentials(world).byOrigin.has(origin)) return ok(text)
  const login = `memctl auth login --server ${shellWord(address)}`
  return warning(
    `no key is saved for ${address}, which ${where} names, and memctl does not send it another key`,
    `if you trust this server: ${login}`
  )
}

/** Compares the version in the server's OpenAPI document with that of this program. */
async function checkVersion(context: Context): Promise<CheckResult> {
  const reply = await askServer(context, '/openapi.json')
  if ('seen' in reply) return reply.seen
  const version = /"version":\s*"([\w.+-]{1,40})"/.exec(reply.text.slice(0, HEAD_LENGTH))?.[1]
  if (reply.status !== 200 || version === undefined) return ok('unknown: the server does not report it')
  if (version === VERSION) return ok(version)
  return warning(`the server has version ${version}, this program ${VERSION}`, 'install the same version on both sides')
}

/** The part of the document that contains `info`. In characters. */
const HEAD_LENGTH = 4000

/** A larger difference puts memories into the wrong order. In milliseconds. */
const SKEW_MS_MAX = 5000

async function checkClock(context: Context): Promise<CheckResult> {
  const reply = await askServer(context, '/healthz')
  if ('seen' in reply) return reply.seen
  const told = Date.parse(reply.date ?? '')
  if (Number.isNaN(told)) return ok('unknown: the server does not report its time')
  const ahead = context.world.clock.now() - told
  // The Date header has whole seconds.
  const skew = Math.max(0, Math.abs(ahead) - 1000)
  if (skew <= SKEW_MS_MAX) return ok('the clocks agree')
  const seconds = Math.round(skew / 1000)
  return warning(
    `this machine is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} the server`,
    'on the machine whose clock is wrong: timedatectl set-ntp true'
  )
}

async function checkKey(context: Context): Promise<CheckResult> {
  const server = chooseServer(context.settings)
  const { key, from } = await findKey(context.world, server)
  if (key === undefined) return await withoutKey(context, server)
  const client = await context.client()
  const collections = await client.listCollections()
  return ok(`from ${from ?? '?'}, can read ${formatCount(collections.length, 'collection')}`)
}

/** Maximum number of origins in a message. */
const TOLD_MOST = 3

async function withoutKey(context: Context, server: ChosenServer): Promise<CheckResult> {
  const kept = [...readCredentials(context.world).byOrigin.keys()].slice(0, TOLD_MOST)
  const but = kept.length === 0 ? '' : `; there are saved keys for ${kept.join(', ')}`
  return problem(`there is no key for ${server.origin}${but}`, (await makeKeyHint(context, server)).hint)
}

async function checkCollection(context: Context): Promise<CheckResult> {
  const id = await chooseCollection(context, undefined)
  const client = await context.client()
  try {
    const { name, memories } = await client.getCollection({ params: { collection_id: id } })
    return ok(`${name} (${id}), ${formatCount(memories, 'memory', 'memories')}`)
  } catch (error) {
    if (!(error instanceof Fault) || !OUT_OF_REACH.has(error.code)) throw error
    const { where = 'the server' } = context.settings.get('collection')
    return problem(
      `collection ${id} (${where}): ${error.message}`,
      'to list the collections of your key: memctl collections list'
    )
  }
}

/** Codes of a collection that does not exist or that the key may not read. */
const OUT_OF_REACH: ReadonlySet<string> = new Set(['not_found', 'forbidden'])

/** Maximum number of collections checked, and of connections reported. */
const COLLECTIONS_MAX = 20
const TOLD_MAX = 5

/** Checks that every account linked to a collection of the key is being synced. */
async function checkConnections(context: Context): Promise<CheckResult | CheckResult[]> {
  const client = await context.client()
  const enabled = await client.listProviders()
  const collections = (await client.listCollections()).filter(({ expires_at }) => expires_at === null)
  const connections: Connection[] = []
  for (const { id } of collections.slice(0, COLLECTIONS_MAX))
    connections.push(...(await client.listConnections({ query: { collection_id: id } })))
  const schedules = await readSchedules(client, connections)
  const wrong = connections.flatMap((one) =>
    checkConnection(context, one, { enabled, paused: schedules.get(one.id)?.paused })
  )
  const told = wrong.slice(0, TOLD_MAX)
  if (wrong.length > TOLD_MAX)
    told.push(warning(`and ${formatCount(wrong.length - TOLD_MAX, 'other')}`, 'memctl connections list -c COLLECTION'))
  if (told.length > 0) return told
  return ok(connections.length === 0 ? 'none' : `${formatCount(connections.length, 'connection')}, no problems`)
}

type Known = { enabled: readonly string[]; paused: boolean | undefined }

function checkConnection(context: Context, connection: Connection, { enabled, paused }: Known): CheckResult[] {
  const { id, provider, status, collection_id, last_error } = connection
  const name = `${provider} (${id.slice(0, ID_SHOWN)})`
  const command = (words: string): string => nextCommand(context, `memctl ${words}`)
  if (!enabled.includes(provider)) {
    const set = `memctl server providers set ${provider}`
    const { origin } = chooseServer(context.settings)
    return [
      warning(
        `${name}: not synced, because ${provider} is not enabled on the server`,
        `on the machine of ${origin}: ${set}`
      )
    ]
  }
  if (status === 'revoked')
    return [warning(`${name}: access was revoked`, command(`connect ${provider} -c ${collection_id}`))]
  if (status === 'pending')
    return [warning(`${name}: nothing is selected to sync`, command(`connections config ${id}`))]
  const resume = command(`connections resume ${id}`)
  return [
    ...(last_error === null ? [] : [warning(`${name}: ${last_error}`, afterError(last_error, { id, command }))]),
    ...(paused ? [warning(`${name}: paused; scheduled syncs do not run`, resume)] : [])
  ]
}

/** Returns the command that an error suggests, or the one that lists the sync runs. */
function afterError(error: string, { id, command }: { id: string; command: (words: string) => string }): string {
  const again = /memctl connect \S+ -c \S+/.exec(error)?.[0]
  return command(again === undefined ? `connections runs ${id}` : again.slice('memctl '.length))
}

/** Enough characters of an id to distinguish it from others. */
const ID_SHOWN = 8

const CHECK = 'memctl server check lists them, and memctl server check --repair repairs them'

/** Reads the result of the server's background check of its database from its metrics. */
async function checkStorageHealth(context: Context): Promise<CheckResult> {
  const reply = await askServer(context, '/metrics')
  if ('seen' in reply) return reply.seen
  const [damage, endedAt] = [metric(reply.text, 'damage'), metric(reply.text, 'last_pass_timestamp_seconds')]
  // An older server or a proxy may not expose these metrics.
  if (reply.status !== 200 || damage === undefined || endedAt === undefined)
    return ok('unknown: the server does not report the state of its database')
  if (damage > 0)
    return warning(`the server database is damaged: ${formatCount(damage, 'problem')}`, await hint(context))
  if (endedAt === 0) return ok('no damage found so far; the first background check is not complete yet')
  return ok(`no damage at the last check on ${new Date(endedAt * 1000).toISOString().slice(0, 10)}`)
}

/** Returns a metric of the background check; undefined if it is missing. */
function metric(text: string, name: string): number | undefined {
  const value = new RegExp(`^memctl_scrub_${name} (\\d{1,11}(?:\\.\\d{1,9})?)$`, 'm').exec(text)?.[1]
  return value === undefined ? undefined : Number(value)
}

/** Returns the command that checks the database, which must run on the machine of the server. */
async function hint(context: Context): Promise<string> {
  const { origin } = chooseServer(context.settings)
  const own = await findOwnServer(context)
  return own?.origin === origin ? CHECK : `on the machine of ${origin}: ${CHECK}`
}
