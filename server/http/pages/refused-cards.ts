import { html } from 'hono/html'
import type { ConsentOutcome } from '../../oauth/oauth.ts'
import type { StoredAttempt } from '../../storage/connector-storage.ts'
import type { Markup } from '../docs/inline-code.ts'
import type { Card } from './card-page.ts'
import { commandBlock } from './command-block.ts'
import { namedFacts } from './named-facts.ts'
import type { Names } from './outcome-page.ts'
import { pageTime } from './page-time.ts'
import { plainSentence } from './plain-sentence.ts'

type Outcome<Name extends ConsentOutcome['outcome']> = Extract<ConsentOutcome, { outcome: Name }>

/** Somebody said no: at the provider, or to the question whether the account is to be linked. */
export function deniedCard({ attempt, detail }: Outcome<'denied'>, names: Names): Card {
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

/** The time of a consent is over. */
export function expiredCard({ attempt }: Outcome<'expired'>, names: Names): Card {
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

/** Whoever loads the page of a success again comes here, too. */
export function replayedCard({ attempt }: Outcome<'replayed'>, names: Names): Card {
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

/** The provider failed, or its response was rejected; `detail` says why. */
export function failedCard({ outcome, attempt, detail }: Outcome<'failed' | 'rejected'>, names: Names): Card {
  const heading = 'The account was not linked'
  return {
    title: outcome === 'failed' ? heading : `${heading}: untrusted response`,
    heading,
    mood: 'bad',
    body: [plainSentence(detail), about(attempt, names), ...again(attempt)]
  }
}

/** What came is no state or ticket of ours: nothing is known, and nobody is led on. */
export function unknownCard(): Card {
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

/** The address names a provider that is not enabled. */
export function noProviderCard(): Card {
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

/** What was to be linked to what. */
function about({ provider, collectionId }: StoredAttempt, { service, collectionName }: Names): Markup {
  return namedFacts([
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
