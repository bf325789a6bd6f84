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

/** Maximum time to wait for consent, in milliseconds: the lifetime of a consent request. */
const CONSENT_MS = 10 * 60_000

const AGAIN = 'memctl quickstart'

const WHILE_WAITING: readonly StyledLine[] = [
  [{ text: 'Press Ctrl-C to cancel the quickstart and stop its server', look: 'dim' }]
]

/**
 * Connects an account of every provider to the server's only collection, and selects all channels and top-level folders. With
 * `byHand` the user gives consent in the browser; otherwise the command does.
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
    // The server stops with this command, so a pending consent cannot be resumed.
    const begun = { provider, authUrl: auth_url, state, resume: undefined, again: AGAIN, browser: true, said }
    const connection_id = byHand
      ? await awaitConsent(context, client, { ...begun, waitMs: CONSENT_MS })
      : await approveConsent(context, client, { authUrl: auth_url, state })
    const connection = await client.getConnection({ params: { connection_id } })
    await answer.story(() => [resultLine(`connected account ${connection.external_account_id}`)])
    linked.push(await selectAll(context, client, connection))
    await answer.story(() => [[]])
  }
  return linked
}

/** Gives consent in the sandbox and returns the id of the new connection. */
async function approveConsent(
  { world }: Context,
  client: Client,
  { authUrl, state }: { authUrl: string; state: string }
): Promise<string> {
  await approveInSandbox(world, authUrl)
  const { status, connection_id, detail } = await client.getAttempt({ query: { state } })
  if (connection_id !== null) return connection_id
  throw new Fault('consent_failed', detail ?? `expected an approved consent request, received status ${status}`)
}

const WHAT: Readonly<Record<ProviderId, string>> = {
  cloud_drive: 'Connect a cloud drive and choose folders.',
  team_chat: 'Connect a team chat and choose channels.',
  mailbox: 'Connect a mailbox. All of it is synced.',
  notes: 'Connect notes. Every page shared with memctl is synced.'
}

/** Selects all channels or top-level folders of a connection, up to the limit, and returns the changed connection. */
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
 * Submits the consent page of the sandbox as a user would: chooses the first account, approves, and follows the redirect. Sends
 * no request to any other server.
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
  if (!back.ok) throw noConsent(`the server rejected it with status ${back.status}`)
}

/** Parses the form of the page and selects the first account. */
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
  throw noConsent('its page has an unexpected form or redirect')
}

function noConsent(why: string): Fault {
  return new Fault('consent_failed', `consent in the sandbox failed: ${why}`)
}
