import type { Client } from '../../../client/client.ts'
import { Fault } from '../../../contract/faults.ts'
import type { ProviderId } from '../../../contract/provider-ids.ts'
import { SELECTION_KEYS } from '../../../contract/selection-limits.ts'
import { ask } from '../../command/ask.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type CommandLine, textOption, waitOption } from '../../input/command-line.ts'
import { isNear } from '../../input/is-near.ts'
import { shellWord } from '../../output/short-forms.ts'
import { once } from '../../ports/lazy-modules.ts'
import { checkSelection } from '../../service/check-selection.ts'
import { COLLECTION_OPTION, findCollection } from '../../service/choose-collection.ts'
import { chooseServer } from '../../service/choose-server.ts'
import { openClient } from '../../service/open-client.ts'
import {
  SELECTION_OPTIONS,
  SELECTION_WORDS,
  type SelectedIds,
  selectionFlags,
  selectionOption
} from '../../service/selection-options.ts'
import { startDetached } from '../server/detach-server.ts'
import { answerConnected } from './answer-connected.ts'
import { awaitConsent, type PendingConsent } from './await-consent.ts'
import { bringCallback, type CallbackUrl, readCallbackUrl } from './callback-url.ts'

type Options = {
  provider: string
  collection: string | undefined
  selection: SelectedIds | undefined
  resume: string | undefined
  callbackUrl: string | undefined
  /** Milliseconds. */
  waitMs: number | undefined
  wait: boolean
  syncWait: boolean
  browser: boolean
  pick: boolean
}

/** How long a person is waited for who said nothing about it: as long as a consent is good for. In milliseconds. */
const WAIT_MS = 10 * 60_000

/** How long it may take a server to settle a consent whose end was brought to it, in milliseconds. */
const SETTLE_MS = 60_000

export const connectCommand = defineCommand<Options>({
  name: 'connect',
  summary: 'Link a drive, chat, mailbox or notes workspace to a collection',
  words: [{ name: '<provider>', about: 'one of those that memctl providers lists' }],
  options: [
    COLLECTION_OPTION,
    ...SELECTION_OPTIONS,
    { flags: '--no-browser', about: 'print where to consent, and open nothing' },
    { flags: '--no-wait', about: 'do not wait for the consent' },
    { flags: '--wait-timeout <duration>', about: 'wait so long for it; 10m by default where somebody is there' },
    { flags: '--sync-wait', about: 'also wait for the first sync, as long again' },
    { flags: '--no-pick', about: 'choose no folders or channels now, even where somebody is there' },
    {
      flags: '--resume <state>',
      about: 'go on waiting for a consent that was begun before; without a terminal and --wait-timeout, only look'
    },
    {
      flags: '--callback-url <url>',
      about: 'the address that the browser ended at, where it could not reach the server; - is stdin'
    }
  ],
  about:
    'Prints the address where the person consents. Without a terminal and without --wait-timeout that is all, and the exit code is 0; ' +
    'with --json as {auth_url, state, next}. Otherwise it waits and prints the connection: exit 5 when consent is denied, 8 when it is ' +
    'not given in time, or when folders or channels are still to be chosen; --folder and --channel choose them beforehand. ' +
    'With --resume it looks at least once, and ends with the same codes; 3 where the server does not know the state. On a ' +
    'terminal the address is opened in the browser, and folders or channels are picked at the end. ' +
    'With --sync-wait the exit code is also that of the first sync, as of connections sync --wait. ' +
    'Consenting again for an account that is connected already renews its credentials, and keeps its folders or channels: where ' +
    'others were given, the exit code is 8 with the command that chooses them.',
  manual: async () => (await import('../help/connect-text.ts')).CONNECT_TEXT,
  examples: [
    'memctl connect mailbox -c 018f3a',
    'memctl connect cloud_drive --folder 1AbC --no-browser --wait-timeout 5m --json',
    'memctl connect mailbox --sync-wait',
    'memctl connect notes --no-browser --json | jq -r .auth_url'
  ],
  leaves: 'A consent that was begun can still be given: memctl connections list tells whether it was',
  parse: parseConnect,
  run: connectAccount
})

async function connectAccount(context: Context, options: Options): Promise<void> {
  const { provider, browser, pick, wait, selection } = options
  const callback =
    options.callbackUrl === undefined ? undefined : await readCallbackUrl(context, options.callbackUrl, provider)
  const resume = sameState(options.resume, callback?.state)
  const { client, consent: pending } = await withServer(context, (now) => begin(now, { ...options, resume }))
  const remark = callback && (await bring(client, provider, callback))
  if (remark !== undefined) await context.diagnostics.warn(remark)
  const waitMs = options.waitMs ?? (callback && SETTLE_MS) ?? (wait && context.person ? WAIT_MS : undefined)
  const { authUrl } = pending
  if (authUrl !== undefined && waitMs === undefined) return await answerPending(context, { ...pending, authUrl })
  const consent = { ...pending, provider, browser, waitMs: waitMs ?? 0 }
  const connectionId = await awaitConsent(context, client, consent)
  const syncWaitMs = options.syncWait ? consent.waitMs : undefined
  await answerConnected(context, client, { connectionId, provider, selection, syncWaitMs, pick })
}

/** Of which consent it is that is gone on with. */
function sameState(resumed: string | undefined, brought: string | undefined): string | undefined {
  if (resumed === undefined || brought === undefined || resumed === brought) return resumed ?? brought
  throw new Fault('usage', 'that address belongs to another consent', { hint: 'leave --resume out, or look again' })
}

/** Only of a consent that the key may ask about, and that is still waited for. */
async function bring(client: Client, provider: string, callback: CallbackUrl): Promise<string | undefined> {
  const { status } = await client.getAttempt({ query: { state: callback.state } })
  return status === 'waiting' ? await bringCallback(client, provider, callback) : undefined
}

function parseConnect({ words, options }: CommandLine): Options {
  const [provider = ''] = words
  const selection = selectionOption(options)
  if (selection !== undefined) checkBeforehand(provider, selection)
  const resume = textOption(options, 'resume')
  const waitMs = waitOption(options)
  const wait = options.wait !== false
  if (!wait && waitMs !== undefined)
    throw new Fault('usage', '--no-wait and --wait-timeout say different things', { hint: 'give one of them' })
  const syncWait = options.syncWait === true
  if (!wait && syncWait)
    throw new Fault('usage', '--no-wait and --sync-wait say different things', { hint: 'give one of them' })
  const callbackUrl = textOption(options, 'callbackUrl')
  if (!wait && callbackUrl !== undefined)
    throw new Fault('usage', '--no-wait and --callback-url say different things', { hint: 'give one of them' })
  const collection = textOption(options, 'collection')
  const flags = { browser: options.browser !== false, pick: options.pick !== false }
  return { provider, collection, selection, resume, callbackUrl, waitMs, wait, syncWait, ...flags }
}

async function begin(context: Context, options: Options): Promise<{ client: Client; consent: PendingConsent }> {
  const { provider, selection, resume } = options
  const client = await context.client()
  if (resume !== undefined)
    return { client, consent: { authUrl: undefined, state: resume, ...nextCommands(context, options, resume) } }
  const { id, said } = await findCollection(context, options.collection)
  const body = { collection_id: id, ...(selection && { config: { [selection.key]: selection.ids } }) }
  const { auth_url, state } = await client.connectProvider({ params: { provider }, body }).catch((error) => {
    throw perhapsMeant(context, options, error)
  })
  return { client, consent: { authUrl: auth_url, state, said, ...nextCommands(context, options, state) } }
}

/** What was refused, with the provider that was perhaps meant. */
function perhapsMeant(context: Context, options: Options, error: unknown): unknown {
  const meant = error instanceof Fault && error.code === 'not_found' ? guessProvider(options.provider) : undefined
  if (!(error instanceof Fault) || meant === undefined) return error
  const { again: next } = nextCommands(context, { ...options, provider: meant }, '')
  return new Fault(error.code, error.message, { hint: `did you mean ${meant}? ${next}`, next: [next], cause: error })
}

function nextCommands(
  { flags }: Context,
  { provider, collection, selection, syncWait, pick }: Options,
  state: string
): Pick<PendingConsent, 'resume' | 'again'> {
  const connect = `memctl connect ${shellWord(provider)}`
  const sync = `${syncWait ? ' --sync-wait' : ''}${pick ? '' : ' --no-pick'}`
  const address = flags.server === undefined ? '' : ` --server ${shellWord(flags.server)}`
  const into = collection === undefined ? '' : ` -c ${shellWord(collection)}`
  const chosen = selection === undefined ? '' : ` ${selectionFlags(selection)}`
  return {
    resume: `${connect}${into}${chosen} --resume ${shellWord(state)} --wait-timeout 10m${sync}${address}`,
    again: `${connect}${into}${chosen}${sync}${address}`
  }
}

/** Where to go, and how to find out later whether somebody went. */
async function answerPending(
  context: Context,
  { authUrl, state, resume, said = [] }: PendingConsent & { authUrl: string }
): Promise<void> {
  const answer = { auth_url: authUrl, state, next: [resume] }
  const rows = [[authUrl]]
  await context.answer.object(answer, { lines: () => rows, rows: () => rows })
  await context.diagnostics.show(said)
  await context.diagnostics.hint(`consent there, then: ${resume}`)
}

/**
 * Sees to it that a provider has what is chosen beforehand, and that its ids can be some. Of a word that is no provider the server
 * says so.
 *
 * @throws Fault `usage` that names the flag to give, or the id.
 */
function checkBeforehand(provider: string, { key, ids }: SelectedIds): void {
  if (!isProvider(provider)) return
  const own = SELECTION_KEYS[provider]
  const { flag, many, list } = SELECTION_WORDS[key]
  if (own === undefined)
    throw new Fault('usage', `${provider} has no ${many} to choose: all of it is synced`, {
      hint: `leave ${flag} out`
    })
  if (own !== key)
    throw new Fault('usage', `${provider} has ${SELECTION_WORDS[own].many} to choose, not ${many}`, {
      hint: `give ${SELECTION_WORDS[own].flag}`
    })
  checkSelection(key, ids, { added: ids, list: `memctl connections ${list} ID, once the account is connected` })
}

function isProvider(word: string): word is ProviderId {
  return Object.hasOwn(SELECTION_KEYS, word)
}

/** What people call the services behind a provider, in small letters without spaces. */
const CALLED: Readonly<Record<ProviderId, readonly string[]>> = {
  cloud_drive: ['googledrive', 'gdrive', 'drive', 'gsuite', 'files'],
  team_chat: ['slack', 'chat'],
  mailbox: ['gmail', 'googlemail', 'email', 'mail', 'inbox'],
  notes: ['notion', 'note', 'wiki']
}

/** The provider that is perhaps meant by a word that names none; undefined for what names one. */
function guessProvider(word: string): ProviderId | undefined {
  if (Object.hasOwn(SELECTION_KEYS, word)) return undefined
  const plain = toLetters(word)
  const ids = Object.keys(CALLED) as ProviderId[]
  return ids.find((id) => CALLED[id].includes(plain)) ?? ids.find((id) => isNear(plain, toLetters(id)))
}

function toLetters(word: string): string {
  return word.toLowerCase().replace(/[^a-z]/g, '')
}

/**
 * Does what needs a server. Where none runs on this machine and the address is one of it, a person is asked whether to start one,
 * and with it the work is done again.
 *
 * @throws Fault `unreachable` with the command that starts one, or that leads to the one that runs.
 */
async function withServer<Value>(context: Context, work: (context: Context) => Promise<Value>): Promise<Value> {
  try {
    return await work(context)
  } catch (error) {
    const start = startCommand(error)
    if (start === undefined || !(error instanceof Fault)) throw error
    if (!context.person || !(await mayStart(context, error, start))) {
      throw new Fault(error.code, error.message, { hint: start, next: [start], cause: error })
    }
    const { port } = new URL(chooseServer(context.settings).address)
    const { origin } = await startDetached(context, { port: port || '80' })
    await context.diagnostics.note(`a server runs at ${origin}; memctl server stop ends it`)
    return await work({ ...context, client: once(() => openClient(context)) })
  }
}

/** What starts a server where nothing listens; it was looked at whether one may be started there, and none runs elsewhere here. */
function startCommand(error: unknown): string | undefined {
  const next = error instanceof Fault && error.code === 'unreachable' ? error.next[0] : undefined
  return next?.startsWith('memctl server start') ? `${next} --detach` : undefined
}

function mayStart(context: Context, { message }: Fault, command: string): Promise<boolean> {
  return ask(context, { about: [[message]], text: 'Start a server?', otherwise: true, flag: '--yes', command })
}
