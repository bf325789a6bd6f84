import { html } from 'hono/html'
import type { Refusal } from '../../../src/contract/endpoint.ts'
import type { SelectionKey } from '../../../src/contract/selection-limits.ts'
import type { ConsentOutcome } from '../../oauth/consent/consent-outcome.ts'
import type { StoredAttempt } from '../../storage/port/connector-storage.ts'
import { type Markup, plainSentence, safeName, toPlainLine } from './markup.ts'
import { type Card, renderCardPage } from './render-card-page.ts'

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
    title: 'Connect this account?',
    heading: 'Connect this account?',
    mood: 'ask',
    body: [
      html`<p>The account is not connected yet. If you connect it, everyone who can read the collection can read what is synced from the account.</p>`,
      renderFacts([
        ['Your account', accountName],
        ['Provider', service],
        ['Collection', collectionName ?? attempt.collectionId],
        ['Requested by key', keyName ?? '']
      ]),
      html`<div class="note" role="note"><p><strong>Did you start this yourself?</strong> If another person sent you the link to this page, your account would be synced to their collection. In that case, choose “No”.</p></div>`,
      html`<form method="post" action="?">
<input type="hidden" name="ticket" value="${ticket}">
<button type="submit" name="decision" value="approve">Yes, connect it</button>
<button type="submit" name="decision" value="deny">No, do not connect it</button>
</form>`,
      html`<p class="quiet">If you do not answer by ${pageTime(expiresAt, 'clock')}, the account is not connected.</p>`
    ]
  }
}

type Connected = Extract<ConsentOutcome, { outcome: 'connected' }>

/** The longest service name in the title bar, in letters. */
const TITLE_NAME_LENGTH_MAX = 60

/** Builds the page of a linked account: which account and collection, what happens next, and how to undo it. */
function makeConnectedCard({ connection, renewed }: Connected, names: Names): Card {
  const { service = connection.provider, collectionName } = names
  const what = renewed ? 'is reconnected' : 'is connected'
  return {
    title: `${toPlainLine(service, TITLE_NAME_LENGTH_MAX)} ${what}`,
    heading: html`${safeName(service)} ${what}`,
    mood: 'good',
    body: [
      renderFacts([
        ['Account', connection.accountName],
        ['Collection', collectionName ?? connection.collectionId],
        ...selectionFacts(connection)
      ]),
      html`<h2>What happens next</h2>`,
      ...next(connection, { renewed, selects: names.selects }),
      html`<h2>To undo this</h2>
<p>Anyone who manages the collection can disconnect the account at any time:</p>`,
      commandBlock([`memctl connections disconnect ${connection.id}`])
    ]
  }
}

/** The number of folders or channels that a page names. */
const NAMED_PLACES_MAX = 10

/** Names the selected folders or channels. One whose name is unknown is shown with its id. */
function selectionFacts({ config, placeNames = {} }: Connected['connection']): [term: string, name: string][] {
  const { folder_ids, channel_ids } = config
  const ids = folder_ids ?? channel_ids ?? []
  if (ids.length === 0) return []
  const names = ids.slice(0, NAMED_PLACES_MAX).map((id) => placeNames[id] ?? id)
  const more = ids.length > NAMED_PLACES_MAX ? [`and ${ids.length - NAMED_PLACES_MAX} more`] : []
  return [[folder_ids === undefined ? 'Channels' : 'Folders', [...names, ...more].join(', ')]]
}

type Next = { renewed: boolean; selects: Names['selects'] }

function next({ id, status }: Connected['connection'], { renewed, selects }: Next): Markup[] {
  if (status === 'pending') {
    const what = selects === 'channel_ids' ? 'channel' : 'folder'
    return [
      html`<p>Nothing is synced yet. Next, select the ${what}s to sync. Go back to the terminal or program where you started, or run:</p>`,
      commandBlock([`memctl connections ${what}s ${id}`, `memctl connections config ${id} --${what} ID`])
    ]
  }
  const so = renewed
    ? 'The connection has new credentials and continues as before.'
    : 'Syncing starts automatically. There is nothing else to do here.'
  return [html`<p>${so} You can close this page and go back to the terminal or program where you started.</p>`]
}

type Outcome<Name extends ConsentOutcome['outcome']> = Extract<ConsentOutcome, { outcome: Name }>

/** Builds the page of a person who declined, at the provider or when asked to confirm. */
function makeDeniedCard({ attempt, detail }: Outcome<'denied'>, names: Names): Card {
  return {
    title: 'Account not connected',
    heading: 'Account not connected',
    mood: 'calm',
    body: [
      plainSentence(detail),
      html`<p>Nothing was changed. You can close this page.</p>`,
      about(attempt, names),
      ...again(attempt)
    ]
  }
}

/** Builds the page of an expired consent. */
function makeExpiredCard({ attempt }: Outcome<'expired'>, names: Names): Card {
  return {
    title: 'Consent expired',
    heading: 'Consent expired',
    mood: 'warn',
    body: [
      html`<p>The link was valid until ${pageTime(attempt.expiresAt, 'date')}. The account was not connected.</p>`,
      about(attempt, names),
      ...again(attempt)
    ]
  }
}

/** Builds the page of a used state. Reloading a page of success also leads here. */
function makeReplayedCard({ attempt }: Outcome<'replayed'>, names: Names): Card {
  if (attempt.status === 'completed') {
    return {
      title: 'Account already connected',
      heading: 'Account already connected',
      mood: 'calm',
      body: [
        html`<p>It was connected when this page was first opened. Opening the page again changed nothing. You can close it.</p>`,
        about(attempt, names)
      ]
    }
  }
  return {
    title: 'Link already used',
    heading: 'Link already used',
    mood: 'warn',
    body: [
      attempt.held === undefined
        ? html`<p>The link works only once. The account was not connected this time.</p>`
        : html`<p>The link works only once. The page that it opened first is still waiting for your answer. Go back to that page. If it is closed, start again.</p>`,
      about(attempt, names),
      ...again(attempt)
    ]
  }
}

/** Builds the page of a provider that failed or whose response was rejected; `detail` is the reason. */
function makeFailedCard({ outcome, attempt, detail }: Outcome<'failed' | 'rejected'>, names: Names): Card {
  const heading = 'The account was not connected'
  return {
    title: outcome === 'failed' ? heading : `${heading}: invalid response`,
    heading,
    mood: 'bad',
    body: [plainSentence(detail), about(attempt, names), ...again(attempt)]
  }
}

/** Builds the page of an unknown state or ticket. It names nothing and offers no next step. */
function unknownCard(): Card {
  return {
    title: 'Invalid link',
    heading: 'Invalid link',
    mood: 'bad',
    body: [
      html`<p>This server did not issue the link, or the link was changed or has expired. The account was not connected.</p>`,
      html`<p>Go back to the terminal or program where you started, and start again. If another person sent you the link, do not continue.</p>`
    ]
  }
}

/** Builds the page of a provider that is not enabled. */
function noProviderCard(): Card {
  return {
    title: 'Unknown provider',
    heading: 'Unknown provider',
    mood: 'bad',
    body: [
      html`<p>This provider is not enabled on the server. The account was not connected.</p>`,
      html`<h2>To list the enabled providers</h2>`,
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
<p>Go back to the terminal or program where you started, or run:</p>`,
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
