import { isLoopback } from '../../../client/build-service-url.ts'
import type { Client } from '../../../client/client.ts'
import type { Attempt } from '../../../contract/connection.ts'
import { Fault, type FaultCode } from '../../../contract/faults.ts'
import type { Interaction, Key } from '../../../ports.ts'
import { showAbout } from '../../command/ask.ts'
import type { Context } from '../../command/context.ts'
import type { StyledLine } from '../../output/styled-line.ts'
import { toPlainLine } from '../../output/to-plain-text.ts'
import { chooseServer } from '../../service/choose-server.ts'
import { startWatch } from '../../service/watch.ts'
import { bringCallback, parseCallbackUrl } from './callback-url.ts'

/** How often it is asked whether the consent was given, in milliseconds. */
const LOOK_MS = 500

/**
 * A consent that somebody may give now. `authUrl` is known only to who began it; `resume` is the command that goes on
 * waiting for it, `again` the one that begins another.
 */
export type PendingConsent = {
  authUrl: string | undefined
  state: string
  resume: string
  again: string
  /** What else there is to know, once the address was told. */
  said?: readonly StyledLine[]
}

type AwaitedConsent = Omit<PendingConsent, 'resume'> & {
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
export async function awaitConsent(context: Context, client: Client, consent: AwaitedConsent): Promise<string> {
  const { terminal } = context.world
  const { authUrl, resume, browser } = consent
  const opening = authUrl === undefined ? {} : await showConsent(context, { ...consent, authUrl }, browser)
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

type Followed = AwaitedConsent & { opening: Opening; sign: WaitingSign }

async function follow(context: Context, client: Client, consent: Followed): Promise<string> {
  const { state, again, waitMs, opening, sign } = consent
  const watch = startWatch(context, waitMs)
  let next = nextLine(sign)
  for (;;) {
    const attempt = await watch.ask((options) => client.getAttempt({ query: { state } }, options))
    if (attempt !== undefined && attempt.status !== 'waiting') return requireConnection(attempt, again)
    if (watch.remainingMs() <= 0) throw notInTime(consent)
    sign.update(waitingText(watch.elapsedMs(), consent.authUrl))
    if (opening.failure !== undefined) {
      await sign.warn(notOpened(opening.failure))
      opening.failure = undefined
    }
    const line = await pause(context, Math.min(LOOK_MS, watch.remainingMs()), next)
    if (line === undefined) continue
    next = nextLine(sign)
    await takeLine(client, line, consent)
  }
}

/** Who leaves while something else is waited for is noticed at the next pause. */
function nextLine(sign: WaitingSign): Promise<string> {
  const line = sign.nextLine()
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

function requireConnection({ status, connection_id, detail }: Attempt, again: string): string {
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

function notInTime({ waitMs, resume, again }: AwaitedConsent): Fault {
  const message = waitMs === 0 ? 'nobody has consented yet' : `nobody consented within ${waitMs / 1000} s`
  return new Fault('still_pending', message, {
    hint: resume === undefined ? `begin again: ${again}` : `the consent can still be given: ${resume}`,
    next: [resume ?? again]
  })
}

/** A consent that somebody may give now; no `resume` where nothing can go on waiting for it later. */
type ShownConsent = Omit<PendingConsent, 'authUrl' | 'resume'> & { authUrl: string; resume: string | undefined }

/** What the opening of a browser failed of, once that shows; `tried` resolves then at the latest. */
type Opening = { failure?: string | undefined; tried?: Promise<void> }

/**
 * Says where to consent, at once and on a line of its own, and how to go on later; opens the address where a person is there who
 * did not say otherwise.
 */
async function showConsent(
  context: Context,
  { authUrl, state, resume, said = [] }: ShownConsent,
  browser: boolean
): Promise<Opening> {
  const { answer, world, diagnostics } = context
  if (answer.mode === 'jsonl') await answer.jsonLine({ event: 'consent', auth_url: authUrl, state })
  else await world.terminal.errors.write(`${toPlainLine(authUrl)}\n`)
  const opening: Opening = {}
  await diagnostics.show(said)
  if (!context.person) return opening
  await diagnostics.show(tunnelLines(context))
  if (resume !== undefined) await diagnostics.show([[{ text: `to go on waiting later: ${resume}`, look: 'dim' }]])
  if (browser && !hasBrowserElsewhere(context) && /^https?:\/\//i.test(authUrl)) {
    // Waiting for the consent does not wait for this.
    opening.tried = world.browser.open(authUrl).then((failure) => {
      opening.failure = failure
    })
  }
  return opening
}

/** Whether whoever is there came by ssh. */
function isFar({ world }: Pick<Context, 'world'>): boolean {
  const { SSH_CONNECTION, SSH_TTY } = world.settings
  return Boolean(SSH_CONNECTION || SSH_TTY)
}

/** A browser that opens here is not seen there; but some editors name one that opens at the other end. */
function hasBrowserElsewhere(context: Context): boolean {
  return isFar(context) && !context.world.settings.BROWSER
}

/** How the browser at the other end of ssh reaches a server that only listens to its own machine. */
function tunnelLines(context: Context): StyledLine[] {
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

/** What somebody sees who waits, and what they may do meanwhile. */
type WaitingSign = {
  update(text: string): void
  /** Something else to know; the waiting goes on. */
  warn(text: string): Promise<void>
  /** The next line that is pasted; never where none can be. Rejects when the person leaves. */
  nextLine(): Promise<string>
  stop(): Promise<void>
}

/** A spinner; with `takesLines` also room for pasted lines. Nothing where nobody is there. */
async function showWaiting(
  context: Context,
  { text, takesLines }: { text: string; takesLines: boolean }
): Promise<WaitingSign> {
  if (!context.person)
    return { update: () => undefined, warn: (line) => context.diagnostics.warn(line), nextLine: never, stop }
  return takesLines ? pastingSign(context, text) : await spinningSign(context, text)
}

function never(): Promise<never> {
  return new Promise(() => undefined)
}

async function stop(): Promise<void> {}

async function spinningSign(context: Context, text: string): Promise<WaitingSign> {
  const { terminal } = context.world
  let shown = { text, line: await terminal.progress(text) }
  return {
    update: (now) => {
      shown.text = now
      shown.line.update(now)
    },
    warn: async (line) => {
      shown.line.stop()
      await showAbout(context, [[{ text: 'warning:', look: 'note' }, ` ${line}`]])
      shown = { text: shown.text, line: await terminal.progress(shown.text) }
    },
    nextLine: never,
    stop: async () => shown.line.stop()
  }
}

function pastingSign({ world }: Context, text: string): WaitingSign {
  const prompt = makePastePrompt(text)
  const left = world.terminal.interact(prompt.interaction)
  // Who leaves is noticed by whoever waits for a line.
  left.catch(() => undefined)
  return {
    update: prompt.update,
    warn: async (line) => prompt.remark(line),
    nextLine: () => Promise.race([prompt.line(), left.then(never)]),
    stop: async () => {
      prompt.end()
      await left.catch(() => undefined)
    }
  }
}

/** A line that says what is waited for, with room below to paste an address. */
type PastePrompt = {
  interaction: Interaction
  /** What is waited for. */
  update(text: string): void
  /** Something to know about what was pasted. */
  remark(text: string): void
  /** The next line that is pasted. */
  line(): Promise<string>
  end(): void
}

const SPINNER = ['|', '/', '-', '\\']

const LABEL = 'or paste here the address that the browser ends at: '

/** No more is kept of what is typed. In characters. */
const TYPED_MAX = 16 << 10

/** The prompt with its first text. */
function makePastePrompt(text: string): PastePrompt {
  const lines: string[] = []
  const state = { text, remark: '', typed: '', over: false }
  let redraw = (): void => undefined
  let wake = (): void => undefined
  const set = (more: Partial<typeof state>): void => {
    Object.assign(state, more)
    redraw()
  }
  return {
    interaction: {
      start: (onChange) => {
        redraw = onChange
      },
      draw: ({ columns }, beat) => (state.over ? undefined : drawPrompt(state, { columns, beat })),
      press: (key) => {
        if (key.name !== 'return' && key.name !== 'enter') return set({ typed: typedAfter(state.typed, key) })
        if (state.typed !== '') lines.push(state.typed)
        set({ typed: '', remark: '' })
        wake()
      }
    },
    update: (now) => set({ text: now }),
    remark: (now) => set({ remark: toPlainLine(now) }),
    line: async () => {
      while (lines.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      return lines.shift() ?? ''
    },
    end: () => set({ over: true })
  }
}

function drawPrompt(
  { text, remark, typed }: { text: string; remark: string; typed: string },
  { columns, beat }: { columns: number; beat: number }
) {
  const room = Math.max(1, columns - 1)
  const left = Math.max(10, room - LABEL.length)
  const line = `${SPINNER[beat % SPINNER.length]} ${text}`.slice(0, room)
  const paste = `${LABEL}${typed.slice(-left)}`.slice(0, Math.max(room, left))
  return { line, below: remark === '' ? [paste] : [paste, remark.slice(0, room)], busy: true }
}

/** Addresses are of these characters only; what else is typed cannot belong to one. */
function typedAfter(typed: string, { name, text, ctrl }: Key): string {
  if (name === 'backspace') return typed.slice(0, -1)
  if (ctrl) return name === 'u' ? '' : typed
  return /^[\x21-\x7e]+$/.test(text) ? (typed + text).slice(0, TYPED_MAX) : typed
}
