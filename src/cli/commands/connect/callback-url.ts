import type { Client } from '../../../client/client.ts'
import { Fault } from '../../../contract/faults.ts'
import type { Context } from '../../command/context.ts'
import { readInputText } from '../../input/read-input-text.ts'

/** The address that a browser was sent to at the end of a consent, as far as it is of use: it may name a host that is not ours. */
export type CallbackUrl = { state: string; search: string }

/** No such address is longer. In bytes. */
const ADDRESS_BYTES_MAX = 16 << 10

/** What `--callback-url` gives; of `-` the text on stdin, or what is there asked for. */
export async function readCallbackUrl(context: Context, given: string, provider: string): Promise<CallbackUrl> {
  if (given !== '-') return parseCallbackUrl(given, provider)
  const { world, person } = context
  if (person) return parseCallbackUrl(await world.terminal.askLine('The address that the browser ended at:'), provider)
  return parseCallbackUrl(await readInputText(world, '-', ADDRESS_BYTES_MAX), provider)
}

/**
 * Reads such an address of a provider.
 *
 * @throws Fault `usage` where it is none.
 */
export function parseCallbackUrl(text: string, provider: string): CallbackUrl {
  const trimmed = text.trim()
  const url = trimmed.length <= ADDRESS_BYTES_MAX && URL.canParse(trimmed) ? new URL(trimmed) : undefined
  const state = url?.searchParams.get('state')
  if (url?.pathname.endsWith(callbackPath(provider)) && state) return { state, search: url.search }
  throw new Fault('usage', 'that is not the address at which the consent ended', {
    hint: `after approving, the browser shows one with ${callbackPath(provider)}?…, whether or not the page loads`
  })
}

/**
 * Does what the browser could not: brings the address to the server, and to no other. Where the server asks whether the account
 * is to be linked, whoever brings the address says so by that. Resolves with something to know about it, if there is.
 *
 * @throws Fault `usage` where the server does not know it.
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
    return 'that address was used before. The page that it led to may still ask whether to link the account'
  const ticket = TICKET.exec(page)?.[1]
  if (ticket === undefined) return undefined
  const bytes = Buffer.from(new URLSearchParams({ ticket, decision: 'approve' }).toString())
  const said = await client.send({ method: 'POST', path, body: { bytes, type: 'application/x-www-form-urlencoded' } })
  await said.body?.cancel()
  return undefined
}

/** What the server answers to who comes with an address again. */
const USED_ALREADY = 410

/** In the form of the page that asks. */
const TICKET = /name="ticket" value="([\w.-]{1,1000})"/

function callbackPath(provider: string): string {
  return `/v1/oauth/callback/${encodeURIComponent(provider)}`
}

/** What a consent came to is told by its attempt; what led to none, by nothing else. */
function refuseUnknown(status: number): void {
  if (status === 400 || status === 404)
    throw new Fault('usage', 'the server does not know that address', {
      hint: 'give the whole address, of the consent that was begun last'
    })
  if (status === 429 || status === 503)
    throw new Fault('unavailable', 'the server is busy', { hint: 'give the address again in a moment' })
}
