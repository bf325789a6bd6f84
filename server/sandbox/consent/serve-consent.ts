import type { ProviderState } from '../core/provider-state.ts'
import { formParams } from '../core/token-params.ts'
import { type ConsentAsk, consentAsk, getOrigin, toFormAction } from './consent-ask.ts'
import { consentPage, flawPage } from './consent-page.ts'

import { pageReply } from './page-reply.ts'

/** What the page takes along and brings back, so that nothing has to be kept of it. */
export type Tickets = { sign(kind: string, value: unknown): string; read(kind: string, text: string): unknown }

export type ConsentContext = { clientId: string; tickets: Tickets; now(): number }

type Received = { request: Request; url: URL; body: Uint8Array }

/** How long a page may stay open before it is sent. */
const PAGE_MS = 30 * 60_000

/** The consent page, and what a person says there. */
export function serveConsent(desk: ConsentContext, state: ProviderState, received: Received): Response {
  return received.request.method === 'POST' ? decide(desk, state, received) : begin(desk, state, received.url)
}

function begin(desk: ConsentContext, state: ProviderState, { search }: URL): Response {
  const { oauth } = state.sandboxProvider
  const begun = consentAsk(search.slice(1), oauth, desk.clientId)
  if ('flaw' in begun) return flawReply(state, begun.flaw)
  if ('refused' in begun) {
    const { ask: asked, error, description } = begun.refused
    return sendBack(state, asked, { error, error_description: description })
  }
  return consentReply(desk, state, { ask: begun.ask, until: desk.now() + PAGE_MS })
}

type Ticket = { ask: ConsentAsk; until: number }
/** `complaint`: what was wrong with an answer, when the page is shown again. */
type Question = Ticket & { complaint?: string }

function decide(desk: ConsentContext, state: ProviderState, { request, body }: Received): Response {
  // A page of another site could send the form in a person's name.
  if (request.headers.get('sec-fetch-site') === 'cross-site')
    return flawReply(state, 'The answer came from a page of another site.', 403)
  const params = formParams(new TextDecoder().decode(body)) ?? {}
  const ticket = desk.tickets.read(ticketKind(state), params.request ?? '') as Ticket | undefined
  if (ticket === undefined) return flawReply(state, 'The answer came from a page that is none of the sandbox.')
  if (ticket.until <= desk.now()) return flawReply(state, 'The page was open for too long.')
  if (params.decision === 'deny') {
    const description = 'The person did not consent.'
    return sendBack(state, ticket.ask, { error: 'access_denied', error_description: description })
  }
  const account = state.accounts().find(({ id }) => id === params.account)
  if (params.decision !== 'approve' || account === undefined)
    return consentReply(desk, state, { ...ticket, complaint: 'Choose an account.' })
  return sendBack(state, ticket.ask, { code: state.grants.code({ ...ticket.ask, accountId: account.id }) })
}

function ticketKind({ sandboxProvider }: ProviderState): string {
  return `${sandboxProvider.id} ticket`
}

function consentReply(desk: ConsentContext, state: ProviderState, { ask, until, complaint }: Question): Response {
  const { sandboxProvider, base } = state
  const page = consentPage({
    service: sandboxProvider.service,
    scopes: ask.scopes.map((scope) => sandboxProvider.oauth.scopes?.[scope] ?? scope),
    accounts: state.accounts(),
    returnsTo: getOrigin(ask.redirectUri),
    action: new URL(`${base}${sandboxProvider.oauth.authorizePath}`).pathname,
    request: desk.tickets.sign(ticketKind(state), { ask, until } satisfies Ticket),
    complaint
  })
  return pageReply(page, { status: complaint === undefined ? 200 : 400, formAction: toFormAction(ask.redirectUri) })
}

function flawReply({ sandboxProvider }: ProviderState, flaw: string, status = 400): Response {
  return pageReply(flawPage(sandboxProvider.service, flaw), { status })
}

/** Back to the application, with what came of it (RFC 6749 section 4.1.2, RFC 9207). */
function sendBack(
  { sandboxProvider: { oauth } }: ProviderState,
  { redirectUri, state }: Pick<ConsentAsk, 'redirectUri' | 'state'>,
  said: Readonly<Record<string, string>>
): Response {
  const url = new URL(redirectUri)
  const more = {
    ...said,
    ...(state !== undefined && { state }),
    ...(oauth.issuer !== undefined && { iss: oauth.issuer })
  }
  for (const [name, value] of Object.entries(more)) url.searchParams.append(name, value)
  const headers = { location: url.href, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
  return new Response(null, { status: 303, headers })
}
