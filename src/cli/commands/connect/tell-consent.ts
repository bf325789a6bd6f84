import { isLoopback } from '../../../client/service-address.ts'
import type { Context } from '../../context.ts'
import type { Line } from '../../output/line.ts'
import { plainLine } from '../../output/plain-text.ts'
import { chooseServer } from '../../service/choose-server.ts'
import type { Begun } from './connect.ts'

/** A consent that somebody may give now; no `resume` where nothing can go on waiting for it later. */
export type Told = Omit<Begun, 'authUrl' | 'resume'> & { authUrl: string; resume: string | undefined }

/** What the opening of a browser failed of, once that shows; `tried` resolves then at the latest. */
export type Opening = { failure?: string | undefined; tried?: Promise<void> }

/**
 * Says where to consent, at once and on a line of its own, and how to go on later; opens the address where a person is there who
 * did not say otherwise.
 */
export async function tellConsent(
  context: Context,
  { authUrl, state, resume, said = [] }: Told,
  browser: boolean
): Promise<Opening> {
  const { answer, world, talk } = context
  if (answer.mode === 'jsonl') await answer.jsonLine({ event: 'consent', auth_url: authUrl, state })
  else await world.terminal.errors.write(`${plainLine(authUrl)}\n`)
  const opening: Opening = {}
  await talk.show(said)
  if (!context.person) return opening
  await talk.show(tunnelLines(context))
  if (resume !== undefined) await talk.show([[{ text: `to go on waiting later: ${resume}`, look: 'dim' }]])
  if (browser && !hasBrowserElsewhere(context) && /^https?:\/\//i.test(authUrl)) {
    // Waiting for the consent does not wait for this.
    opening.tried = world.browser.open(authUrl).then((failure) => {
      opening.failure = failure
    })
  }
  return opening
}

/** Whether whoever is there came by ssh. */
export function isFar({ world }: Pick<Context, 'world'>): boolean {
  const { SSH_CONNECTION, SSH_TTY } = world.settings
  return Boolean(SSH_CONNECTION || SSH_TTY)
}

/** A browser that opens here is not seen there; but some editors name one that opens at the other end. */
function hasBrowserElsewhere(context: Context): boolean {
  return isFar(context) && !context.world.settings.BROWSER
}

/** How the browser at the other end of ssh reaches a server that only listens to its own machine. */
function tunnelLines(context: Context): Line[] {
  const url = new URL(chooseServer(context.settings).address)
  if (!isFar(context) || !isLoopback(url.hostname)) return []
  const { SSH_CONNECTION = '', USER = '' } = context.world.settings
  const [, , address = '', sshPort = '22'] = SSH_CONNECTION.split(' ')
  const host = /^[\w.:%-]+$/.test(address) ? address : 'HOST'
  const user = /^[\w.-]+$/.test(USER) ? `${USER}@` : ''
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const inner = url.hostname === 'localhost' ? '127.0.0.1' : url.hostname
  const through = /^\d{1,5}$/.test(sshPort) && sshPort !== '22' ? ` -p ${sshPort}` : ''
  return [
    [
      { text: 'hint:', look: 'note' },
      ` this machine is reached by ssh. So that your browser gets to its server, run at your own: ssh${through} -L ${port}:${inner}:${port} ${user}${host}`
    ]
  ]
}
