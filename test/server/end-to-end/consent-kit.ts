import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import { ORIGIN, type TestServer } from './server-kit.ts'

/** Consents at the sandbox as in a browser: fetches the page, submits its form, follows redirects. */

export type Begun = { auth_url: string; state: string }

export type Choice = { account?: number; decision?: 'approve' | 'deny' }

export type Page = { status: number; html: string; headers: Headers }

export type BeginOptions = { config?: unknown; key?: string; collectionId?: string }

/** Begins a consent, which must succeed. */
export async function begin(server: TestServer, provider: ProviderId, options: BeginOptions = {}): Promise<Begun> {
  const { config, key, collectionId = server.collectionId } = options
  const body = { collection_id: collectionId, ...(config !== undefined && { config }) }
  const { status, json } = await server.call('POST', `/v1/connectors/${provider}/connect`, {
    body,
    ...(key !== undefined && { key })
  })
  if (status !== 200) throw new Error(`no consent was begun: ${status} ${JSON.stringify(json)}`)
  return json
}

/** Opens the consent page, chooses, and returns the callback URL that the user is redirected to. */
export async function choose(server: TestServer, authUrl: string, choice: Choice = {}): Promise<string> {
  const { account = 0, decision = 'approve' } = choice
  const page = await visit(server, authUrl)
  if (page.status !== 200) throw new Error(`no consent page: ${page.status} ${page.html}`)
  const fields = formFields(page.html)
  const accounts = fields.filter(([name]) => name === 'account')
  const chosen = accounts[account]
  if (chosen === undefined) throw new Error(`there is no account ${account}`)
  const sent = [...fields.filter(([name]) => name !== 'account'), chosen, ['decision', decision]] as [string, string][]
  const reply = await submit(server, authUrl.split('?')[0] ?? '', sent)
  const location = reply.headers.get('location')
  if (location === null) throw new Error(`the consent page led nowhere: ${reply.status} ${await reply.text()}`)
  return location
}

/** Runs a complete consent up to the final page. */
export async function consent(
  server: TestServer,
  provider: ProviderId,
  options: BeginOptions & Choice = {}
): Promise<Begun & { callback: string; page: Page }> {
  const begun = await begin(server, provider, options)
  const callback = await choose(server, begun.auth_url, options)
  return { ...begun, callback, page: await visit(server, callback) }
}

/** Returns the attempt of a state as the API shows it. */
export async function attemptOf(server: TestServer, state: string) {
  return (await server.call('GET', `/v1/connectors/attempts?state=${encodeURIComponent(state)}`)).json
}

/** Runs a consent and returns its connection. */
export async function connect(
  server: TestServer,
  provider: ProviderId,
  options: BeginOptions & Choice = {}
): Promise<string> {
  const { state, page } = await consent(server, provider, options)
  const { connection_id } = await attemptOf(server, state)
  if (connection_id === null) throw new Error(`no connection was made: ${page.status} ${page.html}`)
  return connection_id
}

/** Fetches a page of the server as a browser does. */
export async function visit(server: TestServer, url: string): Promise<Page> {
  const headers = { host: new URL(ORIGIN).host, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  const reply = await server.service.fetch(new Request(url, { headers }), { address: '127.0.0.1' })
  return { status: reply.status, html: await reply.text(), headers: reply.headers }
}

/** Submits the form of a page. */
export function submit(server: TestServer, url: string, fields: readonly [string, string][]): Promise<Response> {
  const headers = { host: new URL(ORIGIN).host, origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' }
  const body = String(new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])))
  return server.service.fetch(new Request(url, { method: 'POST', headers, body }), { address: '127.0.0.1' })
}

/** Returns the names and values of a page's inputs, without buttons. */
export function formFields(html: string): [string, string][] {
  return [...html.matchAll(/<input\b[^>]*>/g)].map(([input]) => [
    attributeOf(input, 'name'),
    attributeOf(input, 'value')
  ])
}

function attributeOf(tag: string, name: string): string {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
  return value
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
