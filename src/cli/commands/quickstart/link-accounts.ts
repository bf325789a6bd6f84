import type { Client } from '../../../client/client.ts'
import type { Connection } from '../../../contract/connection.ts'
import { Fault } from '../../../contract/faults.ts'
import type { ProviderId } from '../../../contract/provider-ids.ts'
import { CHANNELS_MAX, FOLDERS_MAX, SELECTION_KEYS, type SelectionKey } from '../../../contract/selection-limits.ts'
import type { World } from '../../../ports.ts'
import type { Context } from '../../command/context.ts'
import { shellWord } from '../../output/short-forms.ts'
import type { StyledLine } from '../../output/styled-line.ts'
import { SELECTION_WORDS } from '../../service/selection-options.ts'
import { awaitConsent } from '../connect/await-consent.ts'
import { commandLines, resultLine, stepLines } from './step-lines.ts'

/** How long a consent is waited for, in milliseconds: as long as one is good for. */
const CONSENT_MS = 10 * 60_000

const AGAIN = 'memctl quickstart'

const WHILE_WAITING: readonly StyledLine[] = [[{ text: 'Ctrl-C ends the quickstart and its server', look: 'dim' }]]

/**
 * Connects an account of every provider to the server's one collection, and chooses all folders and channels at the top. With
 * `byHand` a person consents in the browser; otherwise it is done for them.
 */
export async function linkAccounts(context: Context, byHand: boolean): Promise<Connection[]> {
  const { answer } = context
  const client = await context.client()
  const [collection] = await client.listCollections()
  const linked: Connection[] = []
  for (const provider of Object.keys(SELECTION_KEYS) as ProviderId[]) {
    await answer.story((page) => stepLines(WHAT[provider], `memctl connect ${provider}`, page))
    const { auth_url, state } = await client.connectProvider({
      params: { provider },
      body: { collection_id: collection?.id ?? '' }
    })
    const said = linked.length === 0 ? WHILE_WAITING : []
    // With the command its server ends, and with that what a consent would be given to.
    const begun = { provider, authUrl: auth_url, state, resume: undefined, again: AGAIN, browser: true, said }
    const connection_id = byHand
      ? await awaitConsent(context, client, { ...begun, waitMs: CONSENT_MS })
      : await approveConsent(context, client, { authUrl: auth_url, state })
    const connection = await client.getConnection({ params: { connection_id } })
    await answer.story(() => [resultLine(`linked the account ${connection.external_account_id}`)])
    linked.push(await selectAll(context, client, connection))
    await answer.story(() => [[]])
  }
  return linked
}

/** Consents in the sandbox, and gives the id of the connection that comes of it. */
async function approveConsent(
  { world }: Context,
  client: Client,
  { authUrl, state }: { authUrl: string; state: string }
): Promise<string> {
  await approveInSandbox(world, authUrl)
  const { status, connection_id, detail } = await client.getAttempt({ query: { state } })
  if (connection_id !== null) return connection_id
  throw new Fault('consent_failed', detail ?? `the consent is ${status}`)
}

const WHAT: Readonly<Record<ProviderId, string>> = {
  cloud_drive: 'Link a drive, and choose its folders.',
  team_chat: 'Link a chat, and choose its channels.',
  mailbox: 'Link a mailbox: all of it is synced.',
  notes: 'Link notes: what was shared with memctl is synced.'
}

/** The connection with all of its folders or channels chosen that a list without a parent shows, up to the limit. */
async function selectAll(context: Context, client: Client, connection: Connection): Promise<Connection> {
  const key = SELECTION_KEYS[connection.provider]
  if (key === undefined) return connection
  const params = { connection_id: connection.id }
  const found = await listChoices(client, connection, key)
  const ids = found.map(({ id }) => id)
  const { flag, many } = SELECTION_WORDS[key]
  const words = ['memctl', 'connections', 'config', connection.id, ...ids.flatMap((id) => [flag, id])]
  const changed = await client.updateConfig({ params, body: { config: { [key]: ids } } })
  await context.answer.story(() => [
    ...commandLines(words.map(shellWord).join(' ')),
    resultLine(`${many}: ${found.map(({ name }) => name).join(', ')}`)
  ])
  return changed
}

async function listChoices(
  client: Client,
  { id }: Connection,
  key: SelectionKey
): Promise<readonly { id: string; name: string }[]> {
  const params = { connection_id: id }
  if (key === 'folder_ids') return (await client.listFolders({ params, query: {} })).slice(0, FOLDERS_MAX)
  return (await client.listChannels({ params })).slice(0, CHANNELS_MAX)
}

/**
 * Does what a person does on the consent page of the sandbox: takes the first account, approves, and goes where that leads. No
 * other server is asked anything.
 */
async function approveInSandbox(
  { fetch, terminal }: Pick<World, 'fetch' | 'terminal'>,
  authUrl: string
): Promise<void> {
  const signal = terminal.interrupted
  const page = await fetch(new Request(authUrl, { signal }))
  const { action, form } = parseForm(await page.text())
  const answered = await fetch(new Request(resolveTarget(authUrl, action).href, { method: 'POST', body: form, signal }))
  await answered.text()
  const back = await fetch(new Request(resolveTarget(authUrl, answered.headers.get('location')).href, { signal }))
  await back.text()
  if (!back.ok) throw noConsent(`the server did not take it (${back.status})`)
}

/** The one form of the page, with its first account. */
function parseForm(page: string): { action: string | undefined; form: URLSearchParams } {
  const read = (name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''
  const form = new URLSearchParams({ request: read('request'), account: read('account'), decision: 'approve' })
  return { action: /<form method="post" action="([^"]*)"/.exec(page)?.[1], form }
}

function resolveTarget(address: string, target: string | null | undefined): URL {
  const base = new URL(address)
  const url =
    target === null || target === undefined || !URL.canParse(target, address) ? undefined : new URL(target, address)
  if (url?.origin === base.origin) return url
  throw noConsent('its page is not the one that was expected')
}

function noConsent(why: string): Fault {
  return new Fault('consent_failed', `the sandbox gave no consent: ${why}`)
}
