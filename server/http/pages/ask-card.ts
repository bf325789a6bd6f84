import { html } from 'hono/html'
import type { ConsentOutcome } from '../../oauth/oauth.ts'
import type { Card } from './card-page.ts'
import type { Names } from './outcome-page.ts'
import { safeName } from './safe-name.ts'

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
      html`<p>Somebody asked for an account to be linked to a collection of memctl. What is synced from it can then be read by everybody who may read that collection.</p>`,
      html`<dl>
<div><dt>Your account</dt><dd>${safeName(accountName)}</dd></div>
<div><dt>At</dt><dd>${safeName(service)}</dd></div>
<div><dt>Into collection</dt><dd>${safeName(collectionName ?? attempt.collectionId)}</dd></div>
<div><dt>Asked for by</dt><dd>the key ${safeName(keyName ?? '')}</dd></div>
</dl>`,
      html`<div class="note" role="note"><p><strong>Did you start this yourself?</strong> If somebody sent you the link that led here, the account would go to their collection. Then choose “No”.</p></div>`,
      html`<form method="post" action="?">
<input type="hidden" name="ticket" value="${ticket}">
<button type="submit" name="decision" value="approve">Yes, link it</button>
<button type="submit" name="decision" value="deny">No, do not</button>
</form>`,
      html`<p class="quiet">Without an answer by <time datetime="${isoTime(expiresAt)}">${clockTime(expiresAt)}</time> nothing is linked.</p>`
    ]
  }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

/** As in `14:05 UTC`. */
function clockTime(ms: number): string {
  return `${isoTime(ms).slice(11, 16)} UTC`
}
