import { html } from 'hono/html'
import type { Refusal } from '../../../src/contract/endpoint.ts'
import type { SelectionKey } from '../../../src/contract/selection-limits.ts'
import type { ConsentOutcome } from '../../oauth/consent/consent-outcome.ts'
import type { StoredAttempt } from '../../storage/port/connector-storage.ts'
import { type Card, renderCardPage } from './card-page.ts'
import { type Markup, plainSentence, safeName, toPlainLine } from './markup.ts'

/** The names that pages show. Undefined if the object was deleted or is unknown. */
export type Names = {
  /** The name of the provider that people use. */
  service: string | undefined
  /** The kind of selection that is made after connecting. */
  selects: SelectionKey | undefined
  collectionName: string | undefined
  /** The name of the key that requested the consent. */
  keyName: string | undefined
}

export type Settled = ConsentOutcome | { outcome: 'no_provider' }

export type ConsentPage = { status: 200 | Refusal['status']; page: string; hasForm: boolean }

/** Renders the outcome of a consent as a page for the person. */
export function renderConsentPage(settled: Settled, names: Names): ConsentPage {
  const card = chooseCard(settled, names)
  return { status: STATUSES[settled.outcome], page: renderCardPage(card), hasForm: settled.outcome === 'asks' }
}

const STATUSES: Readonly<Record<Settled['outcome'], ConsentPage['status']>> = {
  connected: 200,
  asks: 200,
  denied: 403,
  expired: 410,
  replayed: 410,
  failed: 502,
  rejected: 400,
  unknown: 400,
  no_provider: 404
}

function chooseCard(settled: Settled, names: Names): Card {
  switch (settled.outcome) {
    case 'connected':
      return makeConnectedCard(settled, names)
    case 'asks':
      return askCard(settled, names)
    case 'denied':
      return makeDeniedCard(settled, names)
    case 'expired':
      return makeExpiredCard(settled, names)
    case 'replayed':
      return makeReplayedCard(settled, names)
    case 'failed':
    case 'rejected':
      return makeFailedCard(settled, names)
    case 'unknown':
      return unknownCard()
    case 'no_provider':
      return noProviderCard()
  }
}

type Asks = Extract<ConsentOutcome, { outcome: 'asks' }>

/**
 * Builds the page on which the person confirms the link. Without the confirmation, the owner of a consent address could
 * send it to another person, whose account would feed the sender's collection. The form is sent to the address of the
 * page, without its query.
 */
function askCard({ attempt, accountName, ticket, expiresAt }: Asks, names: Names): Card {
  const { service = attempt.provider, collectionName, keyName } = names
  return {
    title: 'Link this account?',
    heading: 'Link this account?',
    mood: 'ask',
    body: [
      html`<p>It is not linked yet. Once it is, what is synced from it can be read by everybody who may read the collection.</p>`,
      renderFacts([
        ['Your account', accountName],
        ['Provider', service],
        ['Into collection', collectionName ?? attempt.collectionId],
        ['Asked for by key', keyName ?? '']
      ]),
      html`<div class="note" role="note"><p><strong>Did you start this yourself?</strong> If somebody sent you the link that led here, the account would go to their collection. Then choose “No”.</p></div>`,
      html`<form method="post" action="?">
<input type="hidden" name="ticket" value="${ticket}">
<button type="submit" name="decision" value="approve">Yes, link it</button>
<button type="submit" name="decision" value="deny">No, do not link it</button>
</form>`,
      html`<p class="quiet">Without an answer by ${pageTime(expiresAt, 'clock')} nothing is linked.</p>`
    ]
  }
}

type Connected = Extract<ConsentOutcome, { outcome: 'connected' }>

/** The longest service name in the title bar, in letters. */
const TITLE_NAME_LENGTH_MAX = 60

/** Builds the page of a linked account: which account and collection, what happens next, and how to undo it. */
function makeConnectedCard({ connection, renewed }: Connected, names: Names): Card {
  const { service = connection.provider, collectionName } = names
  const what = renewed ? 'is connected again' : 'is connected'
  return {
    title: `${toPlainLine(service, TITLE_NAME_LENGTH_MAX)} ${what}`,
    heading: html`${safeName(service)} ${what}`,
    mood: 'good',
    body: [
      renderFacts([
        ['Account', connection.accountName],
        ['Collection', collectionName ?? connection.collectionId]
      ]),
      html`<h2>What happens next</h2>`,
      ...next(connection, { renewed, selects: names.selects }),
      html`<h2>To undo this</h2>
<p>Whoever manages the collection can end the connection at any time:</p>`,
      commandBlock([`memctl connections disconnect ${connection.id}`])
    ]
  }
}

type Next = { renewed: boolean; selects: Names['selects'] }

function next({ id, status }: Connected['connection'], { renewed, selects }: Next): Markup[] {
  if (status === 'pending') {
    const what = selects === 'channel_ids' ? 'channel' : 'folder'
    return [
      html`<p>Nothing is synced yet: the ${what}s to sync are chosen next. Go back to the terminal or program where you began, or list and choose them with:</p>`,
      commandBlock([`memctl connections ${what}s ${id}`, `memctl connections config ${id} --${what} ID`])
    ]
  }
  const so = renewed
    ? 'The connection has new credentials and goes on as it was.'
    : 'Syncing starts by itself. There is nothing left to do here.'
  return [html`<p>${so} You can close this page and go back to the terminal or program where you began.</p>`]
}

type Outcome<Name extends ConsentOutcome['outcome']> = Extract<ConsentOutcome, { outcome: Name }>

/** Builds the page of a person who declined, at the provider or when asked to confirm. */
function makeDeniedCard({ attempt, detail }: Outcome<'denied'>, names: Names): Card {
  return {
    title: 'Nothing was linked',
    heading: 'Nothing was linked',
    mood: 'calm',
    body: [
      plainSentence(detail),
      html`<p>The account stays as it was. You can close this page.</p>`,
      about(attempt, names),
      ...again(attempt)
    ]
  }
}

/** Builds the page of an expired consent. */
function makeExpiredCard({ attempt }: Outcome<'expired'>, names: Names): Card {
  return {
    title: 'This took too long',
    heading: 'This took too long',
    mood: 'warn',
    body: [
      html`<p>There was time to consent until ${pageTime(attempt.expiresAt, 'date')}, and that is over. Nothing was linked.</p>`,
      about(attempt, names),
      ...again(attempt)
    ]
  }
}

/** Builds the page of a used state. Reloading a page of success also leads here. */
function makeReplayedCard({ attempt }: Outcome<'replayed'>, names: Names): Card {
  if (attempt.status === 'completed') {
    return {
      title: 'This was done before',
      heading: 'This was done before',
      mood: 'calm',
      body: [
        html`<p>The account was linked when this page was opened first. Coming here again changed nothing: you can close this page.</p>`,
        about(attempt, names)
      ]
    }
  }
  return {
    title: 'This link was used before',
    heading: 'This link was used before',
    mood: 'warn',
    body: [
      attempt.held === undefined
        ? html`<p>It works once only. Nothing was linked this time.</p>`
        : html`<p>It works once only, and the page that it opened first still waits for your answer: whether the account is to be linked. Go back to that page. Where it is gone, begin again.</p>`,
      about(attempt, names),
      ...again(attempt)
    ]
  }
}

/** Builds the page of a provider that failed or whose response was rejected; `detail` is the reason. */
function makeFailedCard({ outcome, attempt, detail }: Outcome<'failed' | 'rejected'>, names: Names): Card {
  const heading = 'The account was not linked'
  return {
    title: outcome === 'failed' ? heading : `${heading}: untrusted response`,
    heading,
    mood: 'bad',
    body: [plainSentence(detail), about(attempt, names), ...again(attempt)]
  }
}

/** Builds the page of an unknown state or ticket. It names nothing and offers no next step. */
function unknownCard(): Card {
  return {
    title: 'This link leads nowhere',
    heading: 'This link leads nowhere',
    mood: 'bad',
    body: [
      html`<p>It was not given out by this server, or was changed on its way, or is long over. Nothing was linked.</p>`,
      html`<p>Go back to the terminal or program where you began, and begin again. If somebody sent you the link, do not go on.</p>`
    ]
  }
}

/** Builds the page of a provider that is not enabled. */
function noProviderCard(): Card {
  return {
    title: 'No such provider',
    heading: 'No such provider',
    mood: 'bad',
    body: [
      html`<p>This server links no accounts of that kind. Nothing was linked.</p>`,
      html`<h2>To see which it links</h2>`,
      commandBlock(['memctl providers'])
    ]
  }
}

/** Names the provider and the collection of an attempt. */
function about({ provider, collectionId }: StoredAttempt, { service, collectionName }: Names): Markup {
  return renderFacts([
    ['Provider', service ?? provider],
    ['Collection', collectionName ?? collectionId]
  ])
}

function again({ provider, collectionId }: StoredAttempt): Markup[] {
  return [
    html`<h2>To try again</h2>
<p>Go back to the terminal or program where you began, or begin with:</p>`,
    commandBlock([`memctl connect ${provider} -c ${collectionId}`])
  ]
}

/** Renders commands that a click selects as a whole. Long ones wrap instead of scrolling. */
function commandBlock(commands: readonly string[]): Markup {
  return html`<pre>${commands.map((command) => html`<code>${command}</code>`)}</pre>`
}

/** Renders facts as a list of terms and names. The names are untrusted. */
function renderFacts(facts: readonly (readonly [term: string, name: string])[]): Markup {
  return html`<dl>
${facts.map(([term, name]) => html`<div><dt>${term}</dt><dd>${safeName(name)}</dd></div>\n`)}</dl>`
}

/**
 * Renders a time such as `14:05 UTC` or `2026-05-01, 14:05 UTC`. The page has no script, so the reader's time zone is
 * unknown.
 */
function pageTime(ms: number, shown: 'clock' | 'date'): Markup {
  const time = new Date(ms).toISOString()
  const day = shown === 'date' ? `${time.slice(0, 10)}, ` : ''
  return html`<time datetime="${time}">${day}${time.slice(11, 16)} UTC</time>`
}
