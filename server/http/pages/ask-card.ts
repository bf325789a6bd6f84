import { html } from 'hono/html'
import type { ConsentOutcome } from '../../oauth/oauth.ts'
import type { Card } from './card-page.ts'
import { namedFacts } from './named-facts.ts'
import type { Names } from './outcome-page.ts'
import { pageTime } from './page-time.ts'

type Asks = Extract<ConsentOutcome, { outcome: 'asks' }>

/**
 * Asks whether the account is to be linked: whoever holds the address of a consent can send it to somebody else, whose
 * account would flow into the sender's collection. The form is sent to where the page is, without its query.
 */
export function askCard({ attempt, accountName, ticket, expiresAt }: Asks, names: Names): Card {
  const { service = attempt.provider, collectionName, keyName } = names
  return {
    title: 'Link this account?',
    heading: 'Link this account?',
    mood: 'ask',
    body: [
      html`<p>It is not linked yet. Once it is, what is synced from it can be read by everybody who may read the collection.</p>`,
      namedFacts([
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
