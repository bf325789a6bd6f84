import type { Context } from '../../command/context.ts'
import { formatCount } from '../../output/short-forms.ts'
import { chooseServer } from '../../service/choose-server.ts'
import { runningOwnServer } from '../../service/own-server.ts'
import { ok, type Seen, warning } from './check.ts'
import { askServer } from './reachable-check.ts'

const CHECK = 'memctl server check names them; --repair repairs what can be repaired'

/** What the background check of the server has found in its database, by the metrics of the server. */
export async function lookAtStorage(context: Context): Promise<Seen> {
  const reply = await askServer(context, '/metrics')
  if ('seen' in reply) return reply.seen
  const [damage, endedAt] = [metric(reply.text, 'damage'), metric(reply.text, 'last_pass_timestamp_seconds')]
  // An older server, or a proxy that does not show them.
  if (reply.status !== 200 || damage === undefined || endedAt === undefined)
    return ok('the server does not say how its database is')
  if (damage > 0)
    return warning(`the database of the server is damaged: ${formatCount(damage, 'problem')}`, await hint(context))
  if (endedAt === 0) return ok('nothing damaged so far; the background check has not been through the database yet')
  return ok(`sound when it was last verified, on ${new Date(endedAt * 1000).toISOString().slice(0, 10)}`)
}

/** A number of the background check; undefined where the text does not have it. */
function metric(text: string, name: string): number | undefined {
  const value = new RegExp(`^memctl_scrub_${name} (\\d{1,11}(?:\\.\\d{1,9})?)$`, 'm').exec(text)?.[1]
  return value === undefined ? undefined : Number(value)
}

/** The check reads the database itself, so that it runs where the server does. */
async function hint(context: Context): Promise<string> {
  const { origin } = chooseServer(context.settings)
  const own = await runningOwnServer(context)
  return own?.origin === origin ? CHECK : `where the server of ${origin} runs, ${CHECK}`
}
