import { join } from 'node:path'
import { isLoopback } from '../../../client/build-service-url.ts'
import type { ServerProvider } from '../../../contract/running-server.ts'
import type { Context } from '../../command/context.ts'
import { VERSION } from '../../command/version.ts'
import { formatCount, shellWord } from '../../output/short-forms.ts'
import type { ServerHost } from '../../ports/server-host.ts'
import { dataFolder, runningOwnServer } from '../../service/own-server.ts'
import { type Check, ok, type Seen, warning } from './check.ts'
import { lookAtFolder, lookAtSpace } from './folder-check.ts'
import { lookAtServerLock } from './lock-check.ts'
import { lookAtRedirect } from './redirect-check.ts'

/** Of the server that would be started here, or runs here already. */
export const OWN_SERVER_CHECKS: readonly Check[] = [
  { about: 'server', check: 'own settings', look: lookAtSettings },
  { about: 'server', check: 'own folder', look: lookAtOwnFolder },
  { about: 'server', check: 'own lock', look: lookAtServerLock },
  { about: 'server', check: 'own version', look: lookAtOwnVersion },
  { about: 'server', check: 'key file', look: lookAtKeyFile },
  { about: 'server', check: 'providers', look: lookAtProviders },
  { about: 'server', check: 'redirect', look: lookAtRedirect },
  { about: 'server', check: 'their addresses', look: lookAtAddresses }
]

const RESTART = 'memctl server stop, then memctl server start'

/** What is kept in the file since a server was started is not what that one has. */
async function lookAtSettings(context: Context): Promise<Seen> {
  const host = await context.modules.server()
  const set = (await host.settings({})).filter(({ origin }) => origin !== 'default')
  const text = set.length === 0 ? 'all as they are by default' : set.map(({ key }) => key).join(', ')
  const facts = await runningOwnServer(context)
  if (facts === undefined) return ok(text)
  const files = set.flatMap(({ origin, where }) => (origin === 'file' && where !== null ? [where] : []))
  const later = [...new Set(files)].find((path) => hasChangedSince(context, path, facts.started_at))
  if (later === undefined) return ok(text)
  return warning(`${later} was changed after the server had started`, RESTART)
}

function hasChangedSince({ world }: Context, path: string, startedAt: string): boolean {
  const found = world.files.find(path)
  return found !== undefined && Number(found.mtimeNs / 1_000_000n) > Date.parse(startedAt)
}

/** The folder of its own that a setting may have given it. */
async function lookAtOwnFolder(context: Context): Promise<Seen | Seen[]> {
  const host = await context.modules.server()
  const folder = await dataFolder(context, host, {})
  const hint = 'choose another folder with data_dir in server.json, or get the right to write there'
  const seen = await lookAtFolder(context, folder, hint)
  if (seen.state !== 'ok') return seen
  const space = await lookAtSpace(context, [folder], `free some space where ${folder} lies`)
  return space.state === 'ok' ? seen : space
}

/** A server that was left running while the program was renewed. */
async function lookAtOwnVersion(context: Context): Promise<Seen> {
  const facts = await runningOwnServer(context)
  if (facts === undefined) return ok('no server runs in this data folder')
  if (facts.version === VERSION) return ok(facts.version)
  return warning(`the server is ${facts.version}, this program ${VERSION}`, RESTART)
}

/** Permissions of group and others. */
const OF_OTHERS = 0o077

/** Who reads this file and the database has every stored token. */
async function lookAtKeyFile(context: Context): Promise<Seen> {
  const host = await context.modules.server()
  const { path, database } = await findPlaces(context, host)
  const { files } = context.world
  const found = files.find(path)
  if (found === undefined) {
    if (files.find(database) === undefined) return ok('none yet: the first start makes one')
    const hint = 'put it back from its backup; where no account was linked the next start makes one'
    return warning(`${path} is missing, and ${database} is there`, hint)
  }
  if (found.kind !== 'file') return warning(`${path} is no file`, 'put the key file back from its backup')
  if ((found.mode & OF_OTHERS) !== 0)
    return warning(`${path} may be read by others, and stored tokens with it`, `chmod 600 ${shellWord(path)}`)
  return ok(path)
}

/** Where a server of this machine keeps the keys of its vault, and what they open. */
async function findPlaces(context: Context, host: ServerHost): Promise<{ path: string; database: string }> {
  const folder = await dataFolder(context, host, {})
  const settings = await host.settings({})
  const set = settings.find(({ key }) => key === 'secret_key_file')?.value ?? undefined
  return { path: set ?? join(folder, 'server.key'), database: join(folder, 'server.db') }
}

async function lookAtProviders(context: Context): Promise<Seen> {
  const host = await context.modules.server()
  const providers = await host.providers({})
  const half = providers.find((one) => (one.client_id === null) === one.client_secret_set)
  if (half !== undefined) {
    const lacks = half.client_id === null ? 'id' : 'secret'
    return warning(`${half.provider} has a client without ${lacks}`, `memctl server providers set ${half.provider}`)
  }
  const enabled = providers.filter((one) => one.enabled)
  const sandbox = enabled.some((one) => one.sandbox)
  const text = `${enabled.map(({ provider }) => provider).join(', ') || 'none'}${sandbox ? ' (sandbox)' : ''}`
  const reached = await publicAddress(host)
  if (!sandbox || reached === undefined) return ok(text)
  return warning(
    `others reach this server (${reached}), and its accounts are those of the sandbox`,
    'memctl server providers set makes them real'
  )
}

/** The address under which others reach a server; undefined where nobody does. */
async function publicAddress(host: ServerHost): Promise<string | undefined> {
  const settings = await host.settings({})
  const value = (name: string) => settings.find(({ key }) => key === name)?.value ?? undefined
  const url = value('public_url')
  if (url !== undefined) return URL.canParse(url) && isLoopback(new URL(url).hostname) ? undefined : url
  const listens = value('host') ?? 'localhost'
  return isLoopback(listens.includes(':') ? `[${listens}]` : listens) ? undefined : listens
}

/** Any answer will do: nothing is asked for, and nothing is sent along. */
async function lookAtAddresses(context: Context): Promise<Seen> {
  const host = await context.modules.server()
  const real = (await host.providers({})).filter((one) => one.enabled && !one.sandbox)
  if (real.length === 0) return ok('of the sandbox')
  const asked = await Promise.all(real.map(async (one) => ((await answers(context, one)) ? [] : [one])))
  const silent = asked.flat()
  if (silent.length === 0) return ok(`${formatCount(real.length, 'provider')} answer${real.length === 1 ? 's' : ''}`)
  const names = silent.map((one) => `${one.provider} (${new URL(one.api_url).origin})`)
  return warning(
    `no answer from ${names.join(', ')}`,
    'look whether the network, or what stands at the address, is there'
  )
}

async function answers({ world }: Context, { api_url }: ServerProvider): Promise<boolean> {
  try {
    const response = await world.fetch(new Request(new URL(api_url).origin, { redirect: 'manual' }))
    await response.body?.cancel()
    return true
  } catch {
    return false
  }
}
