import { html } from 'hono/html'
import type { ConsentOutcome } from '../../oauth/oauth.ts'
import type { StoredAttempt } from '../../storage/connector-storage.ts'
import type { Markup } from '../docs/inline-code.ts'
import type { Card } from './card-page.ts'
import { plainLine } from './safe-name.ts'

type Outcome<Name extends ConsentOutcome['outcome']> = Extract<ConsentOutcome, { outcome: Name }>

/** What is shown of a sentence that others had a part in, in letters. */
const DETAIL_LENGTH_MAX = 600

/** Somebody said no: at the provider, or to the question whether the account is to be linked. */
export function deniedCard({ attempt, detail }: Outcome<'denied'>): Card {
  return {
    title: 'Nothing was linked',
    heading: 'Nothing was linked',
    mood: 'calm',
    body: [sentence(detail), html`<p>The account stays as it was. You can close this page.</p>`, again(attempt)]
  }
}

/** The time of a consent is over. */
export function expiredCard({ attempt }: Outcome<'expired'>): Card {
  return {
    title: 'This took too long',
    heading: 'This took too long',
    mood: 'warn',
    body: [
      html`<p>A consent has to be given within some minutes, and these are over. Nothing was linked.</p>`,
      again(attempt)
    ]
  }
}

/** Whoever loads the page of a success again comes here, too. */
export function replayedCard({ attempt }: Outcome<'replayed'>): Card {
  if (attempt.status === 'completed') {
    return {
      title: 'This was done before',
      heading: 'This was done before',
      mood: 'calm',
      body: [
        html`<p>The account is linked already, and coming here again changed nothing. You can close this page.</p>`
      ]
    }
  }
  return {
    title: 'This link was used before',
    heading: 'This link was used before',
    mood: 'warn',
    body: [html`<p>It works once only. Nothing was linked this time.</p>`, again(attempt)]
  }
}

/** It went wrong, for a reason that can be told. */
export function failedCard({ attempt, detail }: Outcome<'failed'>): Card {
  return {
    title: 'The account was not linked',
    heading: 'The account was not linked',
    mood: 'bad',
    body: [sentence(detail), again(attempt)]
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
      html`<p>Begin again where you came from. If somebody sent you the link, do not go on.</p>`
    ]
  }
}

/** The address names a provider that is not enabled. */
export function noProviderCard(): Card {
  return {
    title: 'No such provider',
    heading: 'No such provider',
    mood: 'bad',
    body: [html`<p>This server links no accounts of that kind. Nothing was linked.</p>`]
  }
}

/** One of our own making, in which a provider may have had a word. */
function sentence(detail: string): Markup {
  const line = plainLine(detail, DETAIL_LENGTH_MAX)
  const ended = /[.!?…]$/.test(line) ? line : `${line}.`
  return html`<p><bdi>${ended.charAt(0).toUpperCase()}${ended.slice(1)}</bdi></p>`
}

function again({ provider, collectionId }: StoredAttempt): Markup {
  return html`<h2>To try again</h2>
<p>Begin where you came from, or with:</p>
<pre tabindex="0" role="region" aria-label="Command that begins again"><code>memctl connect ${provider} -c ${collectionId}</code></pre>`
}
