import type { Refusal } from '../../../src/contract/endpoint.ts'
import type { SelectionKey } from '../../../src/contract/selection.ts'
import type { ConsentOutcome } from '../../oauth/oauth.ts'
import { askCard } from './ask-card.ts'
import { type Card, cardPage } from './card-page.ts'
import { connectedCard } from './connected-card.ts'
import { deniedCard, expiredCard, failedCard, noProviderCard, replayedCard, unknownCard } from './refused-cards.ts'

/** What pages call things. Undefined: it is not there any more, or was never known. */
export type Names = {
  /** What people call the provider. */
  service: string | undefined
  /** What is chosen at the provider after connecting. */
  selects: SelectionKey | undefined
  collectionName: string | undefined
  /** Of the key that asked for it. */
  keyName: string | undefined
}

export type Settled = ConsentOutcome | { outcome: 'no_provider' }

export type OutcomePage = { status: 200 | Refusal['status']; page: string; hasForm: boolean }

/** How a consent went, as the page that its person sees. */
export function outcomePage(settled: Settled, names: Names): OutcomePage {
  const card = cardOf(settled, names)
  return { status: STATUSES[settled.outcome], page: cardPage(card), hasForm: settled.outcome === 'asks' }
}

const STATUSES: Readonly<Record<Settled['outcome'], OutcomePage['status']>> = {
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

function cardOf(settled: Settled, names: Names): Card {
  switch (settled.outcome) {
    case 'connected':
      return connectedCard(settled, names)
    case 'asks':
      return askCard(settled, names)
    case 'denied':
      return deniedCard(settled, names)
    case 'expired':
      return expiredCard(settled, names)
    case 'replayed':
      return replayedCard(settled, names)
    case 'failed':
    case 'rejected':
      return failedCard(settled, names)
    case 'unknown':
      return unknownCard()
    case 'no_provider':
      return noProviderCard()
  }
}
