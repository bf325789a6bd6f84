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

/** Default wait in an interactive session, in milliseconds: the lifetime of a consent. */
const WAIT_MS = 10 * 60_000

/** Default wait after a callback URL was sent to the server, in milliseconds. */
const SETTLE_MS = 60_000

export const connectCommand = defineCommand<Options>({
  name: 'connect',
  summary: 'Link a drive, chat, mailbox or notes workspace to a collection',
  words: [
    { name: '<provider>', about: 'cloud_drive, team_chat, mailbox or notes', choices: Object.keys(SELECTION_KEYS) }
  ],
  options: [
    COLLECTION_OPTION,
    ...SELECTION_OPTIONS,
    { flags: '--no-browser', about: 'print the consent URL without opening a browser' },
    { flags: '--no-wait', about: 'do not wait for the consent' },
    {
      flags: '--wait-timeout <duration>',
      about: 'maximum wait for the consent; 10m by default in an interactive session'
    },
    { flags: '--sync-wait', about: 'also wait for the first sync, for up to the same time' },
    { flags: '--no-pick', about: 'do not prompt for folders or channels' },
    {
      flags: '--resume <state>',
      about:
        'wait for a consent started earlier; outside an interactive session, check once unless --wait-timeout is given'
    },
    {
      flags: '--callback-url <url>',
      about: 'final URL of the browser, for a browser that cannot reach the server; - for stdin'
    }
  ],
  about:
    'Prints the consent URL, waits until you consent, and prints the connection. An interactive session opens the URL in ' +
    'your browser and lets you pick folders or channels afterwards; --folder and --channel select them in advance.\n' +
    'Outside an interactive session, prints the URL (with --json: {auth_url, state, next}) and exits 0, unless ' +
    '--wait-timeout is given.\n' +
    'Exits 5 if consent is denied, 8 if it is not given in time or if folders or channels are not selected yet, and 3 if ' +
    'the server does not know the state of --resume. With --sync-wait, also exits with the code of the first sync, like ' +
    'connections sync --wait.\n' +
    'Connecting the same account again renews its credentials and keeps its folders or channels. If you gave others, ' +
    'exits 8 and prints the command that selects them.',
  manual: async () => (await import('../help/connect-text.ts')).CONNECT_TEXT,
  examples: [
    'memctl connect mailbox -c work',
    'memctl connect cloud_drive --folder 1AbC --no-browser --wait-timeout 5m --json',
    'memctl connect mailbox --sync-wait',
    'memctl connect notes --no-browser --json | jq -r .auth_url'
  ],
  leaves: 'You can still consent in the browser; memctl connections list shows whether you have',
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

/** Returns the state of the consent to wait for. Throws if `--resume` and the callback URL name different ones. */
function sameState(resumed: string | undefined, brought: string | undefined): string | undefined {
  if (resumed === undefined || brought === undefined || resumed === brought) return resumed ?? brought
  throw new Fault('usage', 'the callback URL and --resume belong to different consents', {
    hint: 'omit --resume: the URL contains its own state'
  })
}

/** Sends the callback URL if the consent is still pending. Rejects if the key may not read the consent. */
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
    throw new Fault('usage', '--no-wait and --wait-timeout cannot be used together', { hint: 'give one of them' })
  const syncWait = options.syncWait === true
  if (!wait && syncWait)
    throw new Fault('usage', '--no-wait and --sync-wait cannot be used together', { hint: 'give one of them' })
  const callbackUrl = textOption(options, 'callbackUrl')
  if (!wait && callbackUrl !== undefined)
    throw new Fault('usage', '--no-wait and --callback-url cannot be used together', { hint: 'give one of them' })
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
    throw suggestProvider(context, options, error)
  })
  return { client, consent: { authUrl: auth_url, state, said, ...nextCommands(context, options, state) } }
}

/** Adds a similar provider to the error for an unknown provider. */
function suggestProvider(context: Context, options: Options, error: unknown): unknown {
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

/** Writes the consent URL and the command that continues waiting. */
async function answerPending(
  context: Context,
  { authUrl, state, resume, said = [] }: PendingConsent & { authUrl: string }
): Promise<void> {
  const answer = { auth_url: authUrl, state, next: [resume] }
  const rows = [[authUrl]]
  await context.answer.object(answer, { lines: () => rows, rows: () => rows })
  await context.diagnostics.show(said)
  await context.diagnostics.hint(`consent at this URL, then run: ${resume}`)
}

/**
 * Checks that the provider supports the given selection and that its ids are valid. The server rejects unknown providers.
 *
 * @throws Fault `usage` that names the flag to give or the invalid id.
 */
function checkBeforehand(provider: string, { key, ids }: SelectedIds): void {
  if (!isProvider(provider)) return
  const own = SELECTION_KEYS[provider]
  const { flag, many, list } = SELECTION_WORDS[key]
  if (own === undefined)
    throw new Fault('usage', `${provider} has no ${many} to select: it syncs everything`, {
      hint: `omit ${flag}`
    })
  if (own !== key)
    throw new Fault('usage', `${provider} syncs ${SELECTION_WORDS[own].many}, not ${many}`, {
      hint: `use ${SELECTION_WORDS[own].flag} instead of ${flag}`
    })
  checkSelection(key, ids, { added: ids, list: `memctl connections ${list} ID, once the account is connected` })
}

function isProvider(word: string): word is ProviderId {
  return Object.hasOwn(SELECTION_KEYS, word)
}

/** Common names of the services behind each provider, in lower case without spaces. */
const CALLED: Readonly<Record<ProviderId, readonly string[]>> = {
  cloud_drive: ['googledrive', 'gdrive', 'drive', 'gsuite', 'files'],
  team_chat: ['slack', 'chat'],
  mailbox: ['gmail', 'googlemail', 'email', 'mail', 'inbox'],
  notes: ['notion', 'note', 'wiki']
}

/** Guesses the provider from an unknown name. Returns undefined for a valid provider. */
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
 * Runs work that needs a server. If the address is on this machine and no server runs there, asks an interactive user whether
 * to start one, and runs the work again.
 *
 * @throws Fault `unreachable` with the command that starts a server, or that points to the one that runs.
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
    await context.diagnostics.note(`Started a server at ${origin}; stop it with memctl server stop`)
    return await work({ ...context, client: once(() => openClient(context)) })
  }
}

/** Returns the command that starts a server, if the error suggests one; undefined if no server can be started at the address. */
function startCommand(error: unknown): string | undefined {
  const next = error instanceof Fault && error.code === 'unreachable' ? error.next[0] : undefined
  return next?.startsWith('memctl server start') ? `${next} --detach` : undefined
}

function mayStart(context: Context, { message }: Fault, command: string): Promise<boolean> {
  return ask(context, { about: [[message]], text: 'Start a server?', otherwise: true, flag: '--yes', command })
}
