import { html } from 'hono/html'
import type { ConsentOutcome } from '../../oauth/oauth.ts'
import type { Markup } from '../docs/inline-code.ts'
import type { Card } from './card-page.ts'
import { commandBlock } from './command-block.ts'
import { namedFacts } from './named-facts.ts'
import type { Names } from './outcome-page.ts'
import { plainLine, safeName } from './safe-name.ts'

type Connected = Extract<ConsentOutcome, { outcome: 'connected' }>

/** What is shown of a service's name in the bar of the window, in letters. */
const TITLE_NAME_LENGTH_MAX = 60

/** The account is linked: which one, to what, what happens next, and how to undo it. */
export function connectedCard({ connection, renewed }: Connected, names: Names): Card {
  const { service = connection.provider, collectionName } = names
  const what = renewed ? 'is connected again' : 'is connected'
  return {
    title: `${plainLine(service, TITLE_NAME_LENGTH_MAX)} ${what}`,
    heading: html`${safeName(service)} ${what}`,
    mood: 'good',
    body: [
      namedFacts([
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
