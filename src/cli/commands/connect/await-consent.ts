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

/** Time between two requests for the status of the consent, in milliseconds. */
const POLL_MS = 500

/**
 * A consent that the user can give now. Only the command that started it knows `authUrl`. `resume` is the command that
 * continues waiting for it, and `again` is the command that starts another one.
 */
export type PendingConsent = {
  authUrl: string | undefined
  state: string
  resume: string
  again: string
  /** Further information, shown after the consent URL. */
  said?: readonly StyledLine[]
}

type AwaitedConsent = Omit<PendingConsent, 'resume'> & {
  provider: string
  /** Undefined if no command can continue waiting later. */
  resume: string | undefined
  waitMs: number
  browser: boolean
}

/**
 * Shows the consent URL, waits for the consent, and resolves with the id of the connection. With a wait of 0 ms, checks once.
 *
 * @throws Fault `consent_denied`, `consent_failed`, or `still_pending` if the consent is not given in time.
 */
export async function awaitConsent(context: Context, client: Client, consent: AwaitedConsent): Promise<string> {
  const { terminal } = context.world
  const { authUrl, resume, browser } = consent
  const opening = authUrl === undefined ? {} : await showConsent(context, { ...consent, authUrl }, browser)
  const elsewhere = authUrl !== undefined && !(await opensHere(context, opening, browser))
  const takesLines = (elsewhere || isOverSsh(context)) && terminal.drawsOver
  const sign = await showWaiting(context, { text: waitingText(0, authUrl), takesLines })
  try {
    return await follow(context, client, { ...consent, opening, sign })
  } catch (error) {
    if (error instanceof Fault && error.code === 'not_found') throw unknownState(error, consent.again)
    const isLeft = error instanceof Fault && error.code === 'cancelled'
    if (resume === undefined || (!isLeft && !terminal.interrupted.aborted)) throw error
    throw new Fault('cancelled', 'stopped waiting; the consent can still be given', {
      hint: `continue waiting: ${resume}`,
      next: [resume],
      cause: error
    })
  } finally {
    await sign.stop()
  }
}

/** How long to wait for the browser opener to fail before showing the spinner, in milliseconds. */
const OPENING_MS = 400

/** Checks whether a browser opens on this machine. Warns if the opener fails within `OPENING_MS`. */
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
  return `could not open a browser: ${failure}. Open the URL above yourself.`
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
    const line = await pause(context, Math.min(POLL_MS, watch.remainingMs()), next)
    if (line === undefined) continue
    next = nextLine(sign)
    await takeLine(client, line, consent)
  }
}

/** Handles a rejection early: `pause` reports it when it next awaits the line. */
function nextLine(sign: WaitingSign): Promise<string> {
  const line = sign.nextLine()
  line.catch(() => undefined)
  return line
}

/** Waits for the given time, or until a line is pasted. Returns the line. */
async function pause({ world }: Context, ms: number, line: Promise<string>): Promise<string | undefined> {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, world.terminal.interrupted])
  try {
    return await Promise.race([world.clock.wait(ms, signal).then(() => undefined), line])
  } finally {
    over.abort()
  }
}

/** Sends a pasted callback URL to the server. Warns if the URL is invalid, so that the user can paste another one. */
async function takeLine(client: Client, line: string, { provider, state, sign }: Followed): Promise<void> {
  try {
    const callback = parseCallbackUrl(line, provider)
    if (callback.state !== state) return await sign.warn('that URL belongs to another consent')
    const remark = await bringCallback(client, provider, callback)
    if (remark !== undefined) await sign.warn(remark)
  } catch (error) {
    if (!(error instanceof Fault) || error.code === 'cancelled') throw error
    await sign.warn(error.message)
  }
}

/** The fault for each way a consent can fail, with the message used if the server sends no detail. */
const ENDED: Readonly<Record<string, [FaultCode, string]>> & { failed: [FaultCode, string] } = {
  denied: ['consent_denied', 'the user denied the consent'],
  expired: ['still_pending', 'the consent expired'],
  failed: ['consent_failed', 'the consent failed']
}

function waitingText(ms: number, authUrl: string | undefined): string {
  const where = authUrl === undefined ? '' : ' at the URL above'
  return `Waiting for your consent${where} (${Math.floor(ms / 1000)} s, Ctrl-C to stop)`
}

function requireConnection({ status, connection_id, detail }: Attempt, again: string): string {
  if (status === 'completed' && connection_id !== null) return connection_id
  const [code, otherwise] = ENDED[status] ?? ENDED.failed
  const next = withCollection(again, detail ?? '')
  // The detail from the server may end with the command, which the hint repeats.
  const message = (detail ?? otherwise).replace(/; [^;]*\bmemctl connect .*$/s, '')
  throw new Fault(code, message, { hint: `start again: ${next}`, next: [next] })
}

/** Adds the collection that the server names if the user named none, because `--resume` needs only the state. */
function withCollection(again: string, detail: string): string {
  const collection = / -c ([0-9a-f-]{36})\b/.exec(detail)?.[1]
  return collection === undefined || again.includes(' -c ') ? again : again.replace(PROVIDER, `$& -c ${collection}`)
}

const PROVIDER = /^memctl connect \S+/

/** Replaces the hint of the server, which names neither provider nor collection. */
function unknownState(error: Fault, again: string): Fault {
  return new Fault('not_found', error.message, { hint: `start again: ${again}`, next: [again], cause: error })
}

function notInTime({ waitMs, resume, again }: AwaitedConsent): Fault {
  const message =
    waitMs === 0 ? 'the consent has not been given yet' : `the consent was not given within ${waitMs / 1000} s`
  return new Fault('still_pending', message, {
    hint: resume === undefined ? `start again: ${again}` : `continue waiting: ${resume}`,
    next: [resume ?? again]
  })
}

/** A consent to show, with its URL. */
type ShownConsent = Omit<PendingConsent, 'authUrl' | 'resume'> & { authUrl: string; resume: string | undefined }

/** Why the browser could not be opened, if it failed. `tried` resolves when the attempt is over. */
type Opening = { failure?: string | undefined; tried?: Promise<void> }

/**
 * Prints the consent URL on a line of its own and the command that continues waiting later. In an interactive session, also
 * opens the URL unless `browser` is false.
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
  if (resume !== undefined) await diagnostics.show([[{ text: `to continue waiting later: ${resume}`, look: 'dim' }]])
  if (browser && !hasBrowserElsewhere(context) && /^https?:\/\//i.test(authUrl)) {
    // Not awaited: waiting for the consent starts at once.
    opening.tried = world.browser.open(authUrl).then((failure) => {
      opening.failure = failure
    })
  }
  return opening
}

/** Checks whether the session runs over ssh. */
function isOverSsh({ world }: Pick<Context, 'world'>): boolean {
  const { SSH_CONNECTION, SSH_TTY } = world.settings
  return Boolean(SSH_CONNECTION || SSH_TTY)
}

/** Over ssh, a browser opened on this machine is not visible. Some editors set BROWSER to one that opens on the user's machine. */
function hasBrowserElsewhere(context: Context): boolean {
  return isOverSsh(context) && !context.world.settings.BROWSER
}

/** Shows the ssh command that forwards the port of a loopback server to the machine with the browser. */
function tunnelLines(context: Context): StyledLine[] {
  const url = new URL(chooseServer(context.settings).address)
  if (!isOverSsh(context) || !isLoopback(url.hostname)) return []
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
      ` you are connected over ssh. To let your browser reach the server, run this on your own machine: ssh${through} -L ${port}:${inner}:${port} ${user}${host}`
    ]
  ]
}

/** The display while waiting for the consent, with input for a pasted URL. */
type WaitingSign = {
  update(text: string): void
  /** Shows a warning and keeps waiting. */
  warn(text: string): Promise<void>
  /** Resolves with the next pasted line; never resolves if lines cannot be pasted. Rejects when the user interrupts. */
  nextLine(): Promise<string>
  stop(): Promise<void>
}

/** Shows a spinner, with a paste prompt if `takesLines`. Shows nothing outside an interactive session. */
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
  // A rejection is reported by `nextLine`.
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

/** A status line with a prompt below it for a pasted URL. */
type PastePrompt = {
  interaction: Interaction
  /** Replaces the status line. */
  update(text: string): void
  /** Shows a remark about the pasted line. */
  remark(text: string): void
  /** Resolves with the next pasted line. */
  line(): Promise<string>
  end(): void
}

const SPINNER = ['|', '/', '-', '\\']

const LABEL = 'Or paste the final URL from your browser here: '

/** Maximum length of the typed text, in characters. */
const TYPED_MAX = 16 << 10

/** Creates the prompt with its first status line. */
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

/** Returns the typed text after a key. Characters that cannot occur in a URL are ignored. */
function typedAfter(typed: string, { name, text, ctrl }: Key): string {
  if (name === 'backspace') return typed.slice(0, -1)
  if (ctrl) return name === 'u' ? '' : typed
  return /^[\x21-\x7e]+$/.test(text) ? (typed + text).slice(0, TYPED_MAX) : typed
}
