import { html } from 'hono/html'
import type { ConsentOutcome } from '../../oauth/oauth.ts'
import type { Markup } from '../docs/inline-code.ts'
import type { Card } from './card-page.ts'
import type { Names } from './outcome-page.ts'
import { safeName } from './safe-name.ts'

type Connected = Extract<ConsentOutcome, { outcome: 'connected' }>

/** The account is linked: which one, to what, what happens next, and how to undo it. */
export function connectedCard({ connection, renewed }: Connected, names: Names): Card {
  const { service = connection.provider, collectionName } = names
  const what = renewed ? 'is connected again' : 'is connected'
  return {
    title: renewed ? 'Connected again' : 'Connected',
    heading: html`${safeName(service)} ${what}`,
    mood: 'good',
    body: [
      html`<dl>
<div><dt>Account</dt><dd>${safeName(connection.accountName)}</dd></div>
<div><dt>Collection</dt><dd>${safeName(collectionName ?? connection.collectionId)}</dd></div>
</dl>`,
      html`<h2>What happens next</h2>`,
      ...next(connection, { renewed, selects: names.selects }),
      html`<h2>To undo this</h2>
<p>Whoever manages the collection can end the connection at any time:</p>
<pre tabindex="0" role="region" aria-label="Command that ends the connection"><code>memctl connections disconnect ${connection.id}</code></pre>`
    ]
  }
}

type Next = { renewed: boolean; selects: Names['selects'] }

function next({ id, status }: Connected['connection'], { renewed, selects }: Next): Markup[] {
  if (status === 'pending') {
    const what = selects === 'channel_ids' ? 'channel' : 'folder'
    return [
      html`<p>Nothing is synced yet: the ${what}s to sync are chosen next. Go back to where you began, or list and choose them with:</p>`,
      html`<pre tabindex="0" role="region" aria-label="Commands that list ${what}s and choose some"><code>memctl connections ${what}s ${id}
memctl connections config ${id} --${what} ID</code></pre>`
    ]
  }
  if (renewed) return [html`<p>The connection has new credentials and goes on as it was. You can close this page.</p>`]
  return [html`<p>Syncing starts by itself. There is nothing left to do here: you can close this page.</p>`]
}
