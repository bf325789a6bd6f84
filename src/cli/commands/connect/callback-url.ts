import type { Client } from '../../../client/client.ts'
import { Fault } from '../../../contract/faults.ts'
import type { Context } from '../../command/context.ts'
import { readInputText } from '../../input/read-input-text.ts'

/** The used parts of the URL that the browser was sent to at the end of a consent. Its host is ignored, because it may be foreign. */
export type CallbackUrl = { state: string; search: string }

/** Maximum length of a callback URL, in bytes. */
const ADDRESS_BYTES_MAX = 16 << 10

/** Reads the value of `--callback-url`. For `-`, prompts for the URL or reads it from stdin. */
export async function readCallbackUrl(context: Context, given: string, provider: string): Promise<CallbackUrl> {
  if (given !== '-') return parseCallbackUrl(given, provider)
  const { world, person } = context
  if (person) return parseCallbackUrl(await world.terminal.askLine('Final URL from your browser:'), provider)
  return parseCallbackUrl(await readInputText(world, '-', ADDRESS_BYTES_MAX), provider)
}

/**
 * Parses a callback URL of a provider.
 *
 * @throws Fault `usage` if the text is not such a URL.
 */
export function parseCallbackUrl(text: string, provider: string): CallbackUrl {
  const trimmed = text.trim()
  const url = trimmed.length <= ADDRESS_BYTES_MAX && URL.canParse(trimmed) ? new URL(trimmed) : undefined
  const state = url?.searchParams.get('state')
  if (url?.pathname.endsWith(callbackPath(provider)) && state) return { state, search: url.search }
  throw new Fault('usage', 'this is not the final URL of a consent', {
    hint: `approve in the browser, then copy the URL that contains ${callbackPath(provider)}?…, even if the page does not load`
  })
}

/**
 * Sends the callback URL to the server in place of the browser. If the server asks for confirmation to link the account,
 * confirms it, because the user supplied the URL. Resolves with a remark for the user, if any.
 *
 * @throws Fault `usage` if the server does not know the URL.
 */
export async function bringCallback(
  client: Client,
  provider: string,
  { search }: CallbackUrl
): Promise<string | undefined> {
  const path = callbackPath(provider)
  const response = await client.send({ method: 'GET', path: `${path}${search}` })
  const page = await response.text()
  refuseUnknown(response.status)
  if (response.status === USED_ALREADY)
    return 'this URL was used before; the page that it opened may still ask you to confirm the link'
  const ticket = TICKET.exec(page)?.[1]
  if (ticket === undefined) return undefined
  const bytes = Buffer.from(new URLSearchParams({ ticket, decision: 'approve' }).toString())
  const said = await client.send({ method: 'POST', path, body: { bytes, type: 'application/x-www-form-urlencoded' } })
  await said.body?.cancel()
  return undefined
}

/** The status of the server's response to a URL that was used before. */
const USED_ALREADY = 410

/** Matches the ticket in the form of the confirmation page. */
const TICKET = /name="ticket" value="([\w.-]{1,1000})"/

function callbackPath(provider: string): string {
  return `/v1/oauth/callback/${encodeURIComponent(provider)}`
}

/** Throws if the server did not accept the callback URL. The result of an accepted one is read from the attempt. */
function refuseUnknown(status: number): void {
  if (status === 400 || status === 404)
    throw new Fault('usage', 'the server does not know this URL', {
      hint: 'copy the complete URL from the consent that you started last'
    })
  if (status === 429 || status === 503)
    throw new Fault('unavailable', 'the server is busy', { hint: 'send the URL again in a moment' })
}
