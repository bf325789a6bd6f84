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

/** Checks of the server that runs on this machine, or that would start here. */
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

const RESTART = 'memctl server stop && memctl server start --detach'

/** Checks the server settings, and whether their file changed after the server started. */
async function checkServerSettings(context: Context): Promise<CheckResult> {
  const host = await context.modules.server()
  const set = (await host.settings({})).filter(({ origin }) => origin !== 'default')
  const text = set.length === 0 ? 'all defaults' : set.map(({ key }) => key).join(', ')
  const facts = await findOwnServer(context)
  if (facts === undefined) return ok(text)
  const files = set.flatMap(({ origin, where }) => (origin === 'file' && where !== null ? [where] : []))
  const later = [...new Set(files)].find((path) => hasChangedSince(context, path, facts.started_at))
  if (later === undefined) return ok(text)
  return warning(`${later} changed after the server started, so the server does not use it yet`, RESTART)
}

function hasChangedSince({ world }: Context, path: string, startedAt: string): boolean {
  const found = world.files.find(path)
  return found !== undefined && Number(found.mtimeNs / 1_000_000n) > Date.parse(startedAt)
}

/** Checks the server's data folder, which a setting may move. */
async function checkDataFolder(context: Context): Promise<CheckResult | CheckResult[]> {
  const host = await context.modules.server()
  const folder = await findDataFolder(context, host, {})
  const hint = 'choose another folder with data_dir in server.json, or make this one writable'
  const seen = await checkFolder(context, folder, hint)
  if (seen.state !== 'ok') return seen
  const space = await checkFreeSpace(context, [folder], `free some space on the disk of ${folder}`)
  return space.state === 'ok' ? seen : space
}

/** Detects a server that has kept running while the program was upgraded. */
async function checkOwnVersion(context: Context): Promise<CheckResult> {
  const facts = await findOwnServer(context)
  if (facts === undefined) return ok('no server runs in this data folder')
  if (facts.version === VERSION) return ok(facts.version)
  return warning(`the server has version ${facts.version}, this program ${VERSION}`, RESTART)
}

/** Permissions of group and others. */
const OF_OTHERS = 0o077

/** Checks the key file. With it and the database, anyone can read every stored token. */
async function checkKeyFile(context: Context): Promise<CheckResult> {
  const host = await context.modules.server()
  const { path, database } = await findPlaces(context, host)
  const { files } = context.world
  const found = files.find(path)
  if (found === undefined) {
    if (files.find(database) === undefined) return ok('none yet; the first start creates one')
    const hint = 'restore it from a backup; if no account was linked, the next start creates one'
    return warning(`${path} is missing, but ${database} exists`, hint)
  }
  if (found.kind !== 'file')
    return warning(`expected a file at ${path}, found something else`, 'restore the key file from a backup')
  if ((found.mode & OF_OTHERS) !== 0)
    return warning(
      `other users can read the key file ${path}, which decrypts every stored token`,
      `chmod 600 ${shellWord(path)}`
    )
  return ok(path)
}

/** Returns the paths of the key file and of the database that it encrypts. */
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
    return warning(
      `the OAuth client of ${half.provider} has no ${lacks}`,
      `memctl server providers set ${half.provider}`
    )
  }
  const enabled = providers.filter((one) => one.enabled)
  const sandbox = enabled.some((one) => one.sandbox)
  const text = `${enabled.map(({ provider }) => provider).join(', ') || 'none'}${sandbox ? ' (sandbox)' : ''}`
  const reached = await publicAddress(host)
  if (!sandbox || reached === undefined) return ok(text)
  return warning(
    `other machines can reach this server (${reached}), but it has only sandbox accounts`,
    'to configure a real provider: memctl server providers set PROVIDER --client-id ID'
  )
}

/** Returns the address at which other machines reach the server; undefined if they cannot. */
async function publicAddress(host: ServerHost): Promise<string | undefined> {
  const settings = await host.settings({})
  const value = (name: string) => settings.find(({ key }) => key === name)?.value ?? undefined
  const url = value('public_url')
  if (url !== undefined) return URL.canParse(url) && isLoopback(new URL(url).hostname) ? undefined : url
  const listens = value('host') ?? 'localhost'
  return isLoopback(listens.includes(':') ? `[${listens}]` : listens) ? undefined : listens
}

/** Checks that each provider responds at all. Sends neither a path nor credentials. */
async function checkProviderAddresses(context: Context): Promise<CheckResult> {
  const host = await context.modules.server()
  const real = (await host.providers({})).filter((one) => one.enabled && !one.sandbox)
  if (real.length === 0) return ok('the sandbox needs none')
  const asked = await Promise.all(real.map(async (one) => ((await answers(context, one)) ? [] : [one])))
  const silent = asked.flat()
  if (silent.length === 0) return ok(`${formatCount(real.length, 'provider')} answer${real.length === 1 ? 's' : ''}`)
  const names = silent.map((one) => `${one.provider} (${new URL(one.api_url).origin})`)
  return warning(`no response from ${names.join(', ')}`, 'check the network and the address')
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

const SET_PUBLIC_URL = 'set public_url in server.json, or MEMCTL_PUBLIC_URL, to the address that browsers use'

/**
 * Checks that the redirect address leads to this server and that the providers accept it. A provider redirects only to an
 * address that was registered with it.
 */
async function checkRedirect(context: Context): Promise<CheckResult | CheckResult[]> {
  const host = await context.modules.server()
  const real = (await host.providers({})).filter((one) => one.enabled && !one.sandbox)
  if (real.length === 0) return ok('the sandbox needs no registration')
  const settings = await host.settings({})
  const running = (await findOwnServer(context))?.origin
  const base = findSetting(settings, 'public_url')
  const wrong = base === undefined ? wrongPlace(settings) : wrongUrl(new URL(base), { running, real })
  if (wrong !== undefined) return wrong
  const at = base ?? running ?? `http://127.0.0.1:${findSetting(settings, 'port') ?? '8787'}`
  const needy = real.find(({ provider }) => provider === HTTPS_ONLY)
  if (needy !== undefined && new URL(at).protocol !== 'https:')
    return warning(`${HTTPS_ONLY} requires an https redirect address, but this server uses ${at}`, SET_PUBLIC_URL)
  const missed =
    running === undefined || base === undefined ? undefined : await findMissedUrl(context, { base, running })
  if (missed !== undefined) return missed
  const first = real[0]?.provider ?? ''
  return ok(
    `register with the provider: ${at.replace(/\/+$/, '')}/v1/oauth/callback/${real.length === 1 ? first : '<provider>'}`
  )
}

/** Slack; see server/README.md. */
const HTTPS_ONLY = 'team_chat'

function findSetting(settings: readonly ServerSettingValue[], name: string): string | undefined {
  return settings.find(({ key }) => key === name)?.value ?? undefined
}

/** Checks host and port, which determine the redirect address if there is no public_url. */
function wrongPlace(settings: readonly ServerSettingValue[]): CheckResult | undefined {
  const listens = findSetting(settings, 'host') ?? 'localhost'
  if (!isLoopback(listens.includes(':') ? `[${listens}]` : listens))
    return warning(`the server listens on ${listens}, but public_url is not set`, SET_PUBLIC_URL)
  if (findSetting(settings, 'port') !== '0') return undefined
  return warning(
    'port 0 chooses a new port at each start, which changes the redirect address',
    'choose a fixed port: memctl server start --port 8787'
  )
}

/** Checks that public_url leads to the running server. From this machine the result may differ from that in a browser. */
async function findMissedUrl(
  context: Context,
  { base, running }: { base: string; running: string }
): Promise<CheckResult | undefined> {
  const health = await askServer(context, '/healthz', base)
  if (!('seen' in health) && isHealthOfMemctl(health)) return undefined
  const why = 'seen' in health ? health.seen.message : `expected a memctl server at ${base}, received another response`
  return warning(`public_url does not reach the server from this machine: ${why}`, `forward ${base} to ${running}`)
}

function wrongUrl(
  url: URL,
  { running, real }: { running: string | undefined; real: readonly ServerProvider[] }
): CheckResult | undefined {
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    const names = real.map(({ provider }) => provider).join(', ')
    return warning(`public_url ${url.origin} is plain http, which ${names} may reject`, `use https://${url.host}`)
  }
  if (running === undefined || !isLoopback(url.hostname)) return undefined
  const { port } = new URL(running)
  if (port === url.port) return undefined
  const hint = `set public_url to ${running}, or start the server with --port ${url.port || '80'}`
  return warning(`public_url names port ${url.port || '80'}, but the server listens on ${port}`, hint)
}
