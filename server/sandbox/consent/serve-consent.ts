import { createHash } from 'node:crypto'
import type { ProviderState } from '../core/provider-state.ts'
import { formParams } from '../core/token-params.ts'
import { type ConsentAsk, consentAsk, getOrigin, toFormAction } from './consent-ask.ts'
import { consentPage, flawPage } from './consent-page.ts'
import { SANDBOX_STYLE } from './sandbox-style.ts'

/** Signs the values that the page returns, so that the server stores nothing about it. */
type Tickets = { sign(kind: string, value: unknown): string; read(kind: string, text: string): unknown }

export type ConsentContext = { clientId: string; tickets: Tickets; now(): number }

type Received = { request: Request; url: URL; body: Uint8Array }

/** How long a page may stay open before the form is sent. */
const PAGE_MS = 30 * 60_000

/** Serves the consent page and its form. */
export function serveConsent(context: ConsentContext, state: ProviderState, received: Received): Response {
  return received.request.method === 'POST' ? decide(context, state, received) : begin(context, state, received.url)
}

function begin(context: ConsentContext, state: ProviderState, { search }: URL): Response {
  const { oauth } = state.sandboxProvider
  const begun = consentAsk(search.slice(1), oauth, context.clientId)
  if ('flaw' in begun) return flawReply(state, begun.flaw)
  if ('refused' in begun) {
    const { ask: asked, error, description } = begun.refused
    return sendBack(state, asked, { error, error_description: description })
  }
  return consentReply(context, state, { ask: begun.ask, until: context.now() + PAGE_MS })
}

type Ticket = { ask: ConsentAsk; until: number }
/** `complaint` is the error in an answer, if the page is shown again. */
type Question = Ticket & { complaint?: string }

function decide(context: ConsentContext, state: ProviderState, { request, body }: Received): Response {
  // A page of another site could submit the form in the user's name.
  if (request.headers.get('sec-fetch-site') === 'cross-site')
    return flawReply(state, 'The form was sent from a page of another site.', 403)
  const params = formParams(new TextDecoder().decode(body)) ?? {}
  const ticket = context.tickets.read(ticketKind(state), params.request ?? '') as Ticket | undefined
  if (ticket === undefined) return flawReply(state, 'The form was not created by this sandbox.')
  if (ticket.until <= context.now()) return flawReply(state, 'The page was open for too long.')
  if (params.decision === 'deny') {
    const description = 'The person did not consent.'
    return sendBack(state, ticket.ask, { error: 'access_denied', error_description: description })
  }
  const account = state.accounts().find(({ id }) => id === params.account)
  if (params.decision !== 'approve' || account === undefined)
    return consentReply(context, state, { ...ticket, complaint: 'Choose an account.' })
  return sendBack(state, ticket.ask, { code: state.grants.code({ ...ticket.ask, accountId: account.id }) })
}

function ticketKind({ sandboxProvider }: ProviderState): string {
  return `${sandboxProvider.id} ticket`
}

function consentReply(context: ConsentContext, state: ProviderState, { ask, until, complaint }: Question): Response {
  const { sandboxProvider, base } = state
  const page = consentPage({
    service: sandboxProvider.service,
    scopes: ask.scopes.map((scope) => sandboxProvider.oauth.scopes?.[scope] ?? scope),
    accounts: state.accounts(),
    returnsTo: getOrigin(ask.redirectUri),
    action: new URL(`${base}${sandboxProvider.oauth.authorizePath}`).pathname,
    request: context.tickets.sign(ticketKind(state), { ask, until } satisfies Ticket),
    complaint
  })
  return pageReply(page, { status: complaint === undefined ? 200 : 400, formAction: toFormAction(ask.redirectUri) })
}

function flawReply({ sandboxProvider }: ProviderState, flaw: string, status = 400): Response {
  return pageReply(flawPage(sandboxProvider.service, flaw), { status })
}

/** Redirects to the application with the result (RFC 6749 section 4.1.2, RFC 9207). */
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

const STYLE_HASH = createHash('sha256').update(SANDBOX_STYLE).digest('base64')

/**
 * `formAction` is where the form's reply may redirect to beside the page's own origin. Browsers apply the policy to
 * redirects.
 */
type PageAs = { status: number; formAction?: string }

/**
 * Builds the response for a page that runs no script, is not cached, cannot be framed and sends no referrer to other
 * sites.
 */
function pageReply(page: string, { status, formAction }: PageAs): Response {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action ${formAction === undefined ? "'none'" : `'self' ${formAction}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ]
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    // With `no-referrer` the browser would send `Origin: null`, as if another site had submitted the form.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin'
  }
  return new Response(page, { status, headers })
}
