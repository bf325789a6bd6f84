import { join } from 'node:path'
import { isLoopback } from '../../../client/build-service-url.ts'
import type { ServerProvider } from '../../../contract/running-server.ts'
import type { Context } from '../../command/context.ts'
import { VERSION } from '../../command/version.ts'
import { formatCount, shellWord } from '../../output/short-forms.ts'
import type { ServerHost, ServerSettingValue } from '../../ports/server-host.ts'
import { findDataFolder, findOwnServer } from '../../service/find-own-server.ts'
import { type Check, type CheckResult, ok, warning } from './check.ts'
import { checkFolder, checkFreeSpace } from './check-folder.ts'
import { checkServerLock } from './check-locks.ts'
import { askServer, isHealthOfMemctl } from './check-reachable.ts'

/** Of the server that would be started here, or runs here already. */
export const OWN_SERVER_CHECKS: readonly Check[] = [
  { about: 'server', check: 'own settings', run: checkServerSettings },
  { about: 'server', check: 'own folder', run: checkDataFolder },
  { about: 'server', check: 'own lock', run: checkServerLock },
  { about: 'server', check: 'own version', run: checkOwnVersion },
  { about: 'server', check: 'key file', run: checkKeyFile },
  { about: 'server', check: 'providers', run: checkProviders },
  { about: 'server', check: 'redirect', run: checkRedirect },
  { about: 'server', check: 'their addresses', run: checkProviderAddresses }
]

const RESTART = 'memctl server stop, then memctl server start'

/** What is kept in the file since a server was started is not what that one has. */
async function checkServerSettings(context: Context): Promise<CheckResult> {
  const host = await context.modules.server()
  const set = (await host.settings({})).filter(({ origin }) => origin !== 'default')
  const text = set.length === 0 ? 'all as they are by default' : set.map(({ key }) => key).join(', ')
  const facts = await findOwnServer(context)
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
async function checkDataFolder(context: Context): Promise<CheckResult | CheckResult[]> {
  const host = await context.modules.server()
  const folder = await findDataFolder(context, host, {})
  const hint = 'choose another folder with data_dir in server.json, or get the right to write there'
  const seen = await checkFolder(context, folder, hint)
  if (seen.state !== 'ok') return seen
  const space = await checkFreeSpace(context, [folder], `free some space where ${folder} lies`)
  return space.state === 'ok' ? seen : space
}

/** A server that was left running while the program was renewed. */
async function checkOwnVersion(context: Context): Promise<CheckResult> {
  const facts = await findOwnServer(context)
  if (facts === undefined) return ok('no server runs in this data folder')
  if (facts.version === VERSION) return ok(facts.version)
  return warning(`the server is ${facts.version}, this program ${VERSION}`, RESTART)
}

/** Permissions of group and others. */
const OF_OTHERS = 0o077

/** Who reads this file and the database has every stored token. */
async function checkKeyFile(context: Context): Promise<CheckResult> {
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
  const folder = await findDataFolder(context, host, {})
  const settings = await host.settings({})
  const set = settings.find(({ key }) => key === 'secret_key_file')?.value ?? undefined
  return { path: set ?? join(folder, 'server.key'), database: join(folder, 'server.db') }
}

async function checkProviders(context: Context): Promise<CheckResult> {
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
async function checkProviderAddresses(context: Context): Promise<CheckResult> {
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

const SET_PUBLIC_URL = 'set public_url in server.json, or MEMCTL_PUBLIC_URL, to what browsers call'

/**
 * Real providers send people back to an address that was registered with them, and to no other: whether it leads to this
 * server, and is of a kind that they take.
 */
async function checkRedirect(context: Context): Promise<CheckResult | CheckResult[]> {
  const host = await context.modules.server()
  const real = (await host.providers({})).filter((one) => one.enabled && !one.sandbox)
  if (real.length === 0) return ok('nobody is sent anywhere: the providers are those of the sandbox')
  const settings = await host.settings({})
  const running = (await findOwnServer(context))?.origin
  const base = findSetting(settings, 'public_url')
  const wrong = base === undefined ? wrongPlace(settings) : wrongUrl(new URL(base), { running, real })
  if (wrong !== undefined) return wrong
  const at = base ?? running ?? `http://127.0.0.1:${findSetting(settings, 'port') ?? '8787'}`
  const needy = real.find(({ provider }) => provider === HTTPS_ONLY)
  if (needy !== undefined && new URL(at).protocol !== 'https:')
    return warning(`${HTTPS_ONLY} takes https redirect addresses only, and this one begins with ${at}`, SET_PUBLIC_URL)
  const missed =
    running === undefined || base === undefined ? undefined : await findMissedUrl(context, { base, running })
  if (missed !== undefined) return missed
  const first = real[0]?.provider ?? ''
  return ok(`to register: ${at.replace(/\/+$/, '')}/v1/oauth/callback/${real.length === 1 ? first : '<provider>'}`)
}

/** Slack, as server/README.md has it. */
const HTTPS_ONLY = 'team_chat'

function findSetting(settings: readonly ServerSettingValue[], name: string): string | undefined {
  return settings.find(({ key }) => key === name)?.value ?? undefined
}

/** Without a public_url the redirect address follows from host and port. */
function wrongPlace(settings: readonly ServerSettingValue[]): CheckResult | undefined {
  const listens = findSetting(settings, 'host') ?? 'localhost'
  if (!isLoopback(listens.includes(':') ? `[${listens}]` : listens))
    return warning(`the server listens on ${listens}, and nothing says how browsers call it`, SET_PUBLIC_URL)
  if (findSetting(settings, 'port') !== '0') return undefined
  return warning(
    'port 0 is another one at each start, and the redirect address with it',
    'give the server a fixed port'
  )
}

/** What stands between browsers and the server that runs may lead elsewhere. Asked from here, where it may look different. */
async function findMissedUrl(
  context: Context,
  { base, running }: { base: string; running: string }
): Promise<CheckResult | undefined> {
  const health = await askServer(context, '/healthz', base)
  if (!('seen' in health) && isHealthOfMemctl(health)) return undefined
  const why = 'seen' in health ? health.seen.message : `what answers at ${base} is no server of memctl`
  return warning(`from here public_url does not lead to the server: ${why}`, `let ${base} lead on to ${running}`)
}

function wrongUrl(
  url: URL,
  { running, real }: { running: string | undefined; real: readonly ServerProvider[] }
): CheckResult | undefined {
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    const names = real.map(({ provider }) => provider).join(', ')
    return warning(`public_url ${url.origin} is plain http: ${names} may not take it`, `give https://${url.host}`)
  }
  if (running === undefined || !isLoopback(url.hostname)) return undefined
  const { port } = new URL(running)
  if (port === url.port) return undefined
  const hint = `set public_url to ${running}, or start the server with --port ${url.port || '80'}`
  return warning(`public_url leads to port ${url.port || '80'}, and the server listens on ${port}`, hint)
}
