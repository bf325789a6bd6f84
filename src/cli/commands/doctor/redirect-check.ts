import { isLoopback } from '../../../client/build-service-url.ts'
import type { ServerProvider } from '../../../contract/running-server.ts'
import type { Context } from '../../command/context.ts'
import type { ServerSetting } from '../../ports/server-host.ts'
import { runningOwnServer } from '../../service/own-server.ts'
import { ok, type Seen, warning } from './check.ts'
import { askServer, isHealthOfMemctl } from './reachable-check.ts'

const SET_PUBLIC_URL = 'set public_url in server.json, or MEMCTL_PUBLIC_URL, to what browsers call'

/**
 * Real providers send people back to an address that was registered with them, and to no other: whether it leads to this
 * server, and is of a kind that they take.
 */
export async function lookAtRedirect(context: Context): Promise<Seen | Seen[]> {
  const host = await context.modules.server()
  const real = (await host.providers({})).filter((one) => one.enabled && !one.sandbox)
  if (real.length === 0) return ok('nobody is sent anywhere: the providers are those of the sandbox')
  const settings = await host.settings({})
  const running = (await runningOwnServer(context))?.origin
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

function findSetting(settings: readonly ServerSetting[], name: string): string | undefined {
  return settings.find(({ key }) => key === name)?.value ?? undefined
}

/** Without a public_url the redirect address follows from host and port. */
function wrongPlace(settings: readonly ServerSetting[]): Seen | undefined {
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
): Promise<Seen | undefined> {
  const health = await askServer(context, '/healthz', base)
  if (!('seen' in health) && isHealthOfMemctl(health)) return undefined
  const why = 'seen' in health ? health.seen.message : `what answers at ${base} is no server of memctl`
  return warning(`from here public_url does not lead to the server: ${why}`, `let ${base} lead on to ${running}`)
}

function wrongUrl(
  url: URL,
  { running, real }: { running: string | undefined; real: readonly ServerProvider[] }
): Seen | undefined {
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
