import type { Client } from '../../../client/client.ts'
import type { Attempt } from '../../../contract/connection.ts'
import { Fault, type FaultCode } from '../../../contract/faults.ts'
import { showAbout } from '../../ask.ts'
import type { Context } from '../../context.ts'
import { startWatch } from '../../service/watch.ts'
import { bringCallback, parseCallbackUrl } from './callback-url.ts'
import type { Begun } from './connect.ts'
import { isFar, type Opening, tellConsent } from './tell-consent.ts'
import { showWaiting, type WaitingSign } from './waiting-sign.ts'

/** How often it is asked whether the consent was given, in milliseconds. */
const LOOK_MS = 500

type Awaited = Omit<Begun, 'resume'> & {
  provider: string
  /** Undefined where nothing can go on waiting later. */
  resume: string | undefined
  waitMs: number
  browser: boolean
}

/**
 * Says where to consent, and waits for it; for 0 ms it looks once. Resolves with the id of the connection.
 *
 * @throws Fault `consent_denied`, `consent_failed`, or `still_pending` where it was not given in time.
 */
export async function awaitConsent(context: Context, client: Client, consent: Awaited): Promise<string> {
  const { terminal } = context.world
  const { authUrl, resume, browser } = consent
  const opening = authUrl === undefined ? {} : await tellConsent(context, { ...consent, authUrl }, browser)
  const elsewhere = authUrl !== undefined && !(await opensHere(context, opening, browser))
  const takesLines = (elsewhere || isFar(context)) && terminal.drawsOver
  const sign = await showWaiting(context, { text: waitingText(0, authUrl), takesLines })
  try {
    return await follow(context, client, { ...consent, opening, sign })
  } catch (error) {
    if (error instanceof Fault && error.code === 'not_found') throw unknownState(error, consent.again)
    const isLeft = error instanceof Fault && error.code === 'cancelled'
    if (resume === undefined || (!isLeft && !terminal.interrupted.aborted)) throw error
    throw new Fault('cancelled', 'stopped waiting. The consent can still be given', {
      hint: resume,
      next: [resume],
      cause: error
    })
  } finally {
    await sign.stop()
  }
}

/** How long it is waited for a browser that cannot be opened before something else is shown, in milliseconds. */
const OPENING_MS = 400

/** Whether a browser opens at this machine, as far as that shows at once; where none can, that is told. */
async function opensHere(context: Context, opening: Opening, browser: boolean): Promise<boolean> {
  if (!context.person || !browser) return !context.person
  const over = new AbortController()
  const { clock, terminal } = context.world
  const late = clock.wait(OPENING_MS, AbortSignal.any([over.signal, terminal.interrupted])).catch(() => undefined)
  await Promise.race([opening.tried, late]).finally(() => over.abort())
  if (opening.failure === undefined) return true
  await showAbout(context, [[{ text: 'warning:', look: 'note' }, ` ${notOpened(opening.failure)}`]])
  opening.failure = undefined
  return false
}

function notOpened(failure: string): string {
  return `no browser was opened: ${failure}. Open the address above yourself`
}

type Followed = Awaited & { opening: Opening; sign: WaitingSign }

async function follow(context: Context, client: Client, consent: Followed): Promise<string> {
  const { state, again, waitMs, opening, sign } = consent
  const watch = startWatch(context, waitMs)
  let next = nextLine(sign)
  for (;;) {
    const attempt = await watch.ask((options) => client.getAttempt({ query: { state } }, options))
    if (attempt !== undefined && attempt.status !== 'waiting') return connectionOf(attempt, again)
    if (watch.left() <= 0) throw notInTime(consent)
    sign.update(waitingText(watch.waited(), consent.authUrl))
    if (opening.failure !== undefined) {
      await sign.warn(notOpened(opening.failure))
      opening.failure = undefined
    }
    const line = await pause(context, Math.min(LOOK_MS, watch.left()), next)
    if (line === undefined) continue
    next = nextLine(sign)
    await takeLine(client, line, consent)
  }
}

/** Who leaves while something else is waited for is noticed at the next pause. */
function nextLine(sign: WaitingSign): Promise<string> {
  const line = sign.pasted()
  line.catch(() => undefined)
  return line
}

/** A while, or until a line was pasted. */
async function pause({ world }: Context, ms: number, line: Promise<string>): Promise<string | undefined> {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, world.terminal.interrupted])
  try {
    return await Promise.race([world.clock.wait(ms, signal).then(() => undefined), line])
  } finally {
    over.abort()
  }
}

/** What is wrong with a pasted address is told, and can be mended by another one. */
async function takeLine(client: Client, line: string, { provider, state, sign }: Followed): Promise<void> {
  try {
    const callback = parseCallbackUrl(line, provider)
    if (callback.state !== state) return await sign.warn('that address belongs to another consent')
    const remark = await bringCallback(client, provider, callback)
    if (remark !== undefined) await sign.warn(remark)
  } catch (error) {
    if (!(error instanceof Fault) || error.code === 'cancelled') throw error
    await sign.warn(error.message)
  }
}

/** How a consent may end that came to nothing, and what is said where the server says nothing. */
const ENDED: Readonly<Record<string, [FaultCode, string]>> & { failed: [FaultCode, string] } = {
  denied: ['consent_denied', 'the consent was denied'],
  expired: ['still_pending', 'nobody consented in time'],
  failed: ['consent_failed', 'the consent did not come about']
}

function waitingText(ms: number, authUrl: string | undefined): string {
  const where = authUrl === undefined ? '' : ' at the address above'
  return `waiting for the consent${where} (${Math.floor(ms / 1000)} s; Ctrl-C stops waiting)`
}

function connectionOf({ status, connection_id, detail }: Attempt, again: string): string {
  if (status === 'completed' && connection_id !== null) return connection_id
  const [code, otherwise] = ENDED[status] ?? ENDED.failed
  const next = withCollection(again, detail ?? '')
  // What a server says about it may name the command already.
  const message = (detail ?? otherwise).replace(/; begin again with .*$/s, '')
  throw new Fault(code, message, { hint: `begin again: ${next}`, next: [next] })
}

/** The command with the collection that the server names, where the user named none: `--resume` needs only the state. */
function withCollection(again: string, detail: string): string {
  const collection = / -c ([0-9a-f-]{36})\b/.exec(detail)?.[1]
  return collection === undefined || again.includes(' -c ') ? again : again.replace(PROVIDER, `$& -c ${collection}`)
}

const PROVIDER = /^memctl connect \S+/

/** What the server says of it names neither provider nor collection. */
function unknownState(error: Fault, again: string): Fault {
  return new Fault('not_found', error.message, { hint: `begin again: ${again}`, next: [again], cause: error })
}

function notInTime({ waitMs, resume, again }: Awaited): Fault {
  const message = waitMs === 0 ? 'nobody has consented yet' : `nobody consented within ${waitMs / 1000} s`
  return new Fault('still_pending', message, {
    hint: resume === undefined ? `begin again: ${again}` : `the consent can still be given: ${resume}`,
    next: [resume ?? again]
  })
}
